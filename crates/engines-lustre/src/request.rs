//! What a campaign for a model is asked to do, and what only such a campaign finds.

use obligato_lustre::lowering::Lowered;
use obligato_transition_system::NodeId;

use crate::proofs::BookedProof;

/// A campaign for a model: a test or a proof for every obligation of its criteria. Mutants have a campaign of their own.
pub type Request<'a> = obligato_campaign::Request<ModelUnderTest<'a>>;

/// A model, and what is seen of it.
#[derive(Clone, Debug)]
pub struct ModelUnderTest<'a> {
    /// The model.
    pub lowered: &'a Lowered,
    /// The scalars that are observed; usually the outputs.
    pub observed: Vec<NodeId>,
}

/// What a campaign for a model came to.
pub type Outcome<'a> = obligato_campaign::Outcome<'a, ModelFindings>;

/// What only engines for models find.
#[derive(Clone, Debug)]
pub struct ModelFindings {
    /// The proofs, to be [checked](crate::proofs::check) by whoever wants to.
    pub proofs: Vec<BookedProof>,
}
