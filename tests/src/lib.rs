//! Tests that need more than one part of Bandwise: each is a file or folder
//! beside this one, and there is nothing in the library itself.
