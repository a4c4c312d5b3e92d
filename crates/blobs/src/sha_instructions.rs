//! Whether the processor has instructions for SHA-256. With them, hashing takes about as long as copying.

#[cfg(target_arch = "x86_64")]
pub(crate) fn exist() -> bool {
    std::arch::is_x86_feature_detected!("sha")
}

#[cfg(target_arch = "aarch64")]
pub(crate) fn exist() -> bool {
    std::arch::is_aarch64_feature_detected!("sha2")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn exist() -> bool {
    false
}
