//! Why a campaign or a mutation experiment cannot be run on a model.

use obligato_circuit::EncodeError;
use obligato_engines_lustre::ModelError;
use obligato_engines_lustre::mutants::KillError;
use obligato_lustre_replay::MutationError;

use crate::error::Error;
use crate::model::LoadedModel;

/// Why a campaign for this model cannot be run. Its tests were read for the model and the model could be
/// lowered, so that only its size is something that the user can do anything about.
pub fn refuse(error: &ModelError, loaded: &LoadedModel) -> Error {
    match error {
        ModelError::Encode(EncodeError::TooLarge(_)) => Error::Input {
            message: format!("{}: {error}", loaded.path),
            way_out: "a part of the model may do, as --main names it".to_owned(),
        },
        ModelError::NoRun => Error::Input {
            message: error.to_string(),
            way_out: "weaken an 'assert', or look for two that exclude each other".to_owned(),
        },
        ModelError::System(error) => error.clone().into(),
        ModelError::Contradiction(_) | ModelError::Encode(_) => Error::Internal(error.to_string()),
    }
}

/// Why mutants of this model cannot be searched for.
pub fn refuse_killing(error: &KillError, loaded: &LoadedModel) -> Error {
    match error {
        KillError::Mutation(error) => refuse_mutants(error, loaded),
        KillError::Campaign(error) => refuse(error, loaded),
    }
}

/// Why mutants of this model cannot be run.
pub fn refuse_mutants(error: &MutationError, loaded: &LoadedModel) -> Error {
    match error {
        MutationError::Model(found) => loaded.file.refuse(found),
        MutationError::Name(_) | MutationError::Run(_) => Error::Internal(error.to_string()),
    }
}
