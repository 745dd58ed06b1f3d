/** Of the enclave's answer to a nonce. A genuine one has about 8 KiB. */
export const MAX_ANSWER_BYTES = 64 * 1024

/** Of the service's record of its images. */
export const MAX_RECORD_BYTES = 64 * 1024
