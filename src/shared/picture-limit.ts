/** The size limit of an image for the service, the same as for a recording (specification, Limits). */
export const MAX_PICTURE_BYTES = 25_000_000
