/** Of the enclave's answer to a nonce. A genuine one has about 8 KiB. */
export const MAX_ANSWER_BYTES = 64 * 1024

/** Of the service's record of its images. */
export const MAX_RECORD_BYTES = 64 * 1024

/** Of a routing receipt in UTF-8, and of the file that names the image of a build. */
export const MAX_RECEIPT_BYTES = 16 * 1024
export const MAX_BUILD_RECORD_BYTES = 16 * 1024
