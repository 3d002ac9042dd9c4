//! Pure functions: values in, values out. Nothing here knows the machine or an encoding.

pub mod scalar;
