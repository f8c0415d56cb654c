int bad = ;
