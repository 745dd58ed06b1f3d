/** Limit of the enclave's response to a nonce. A genuine one has about 8 KiB. */
export const MAX_ANSWER_BYTES = 64 * 1024

/** Limit of the service's record of its images. */
export const MAX_RECORD_BYTES = 64 * 1024

/** Limits of a routing receipt in UTF-8, and of the file that names the image of a build. */
export const MAX_RECEIPT_BYTES = 16 * 1024
export const MAX_BUILD_RECORD_BYTES = 16 * 1024
