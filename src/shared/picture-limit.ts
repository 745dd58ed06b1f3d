/** What a picture that is handed to the service may have: as much as a recording (specification, Limits). */
export const MAX_PICTURE_BYTES = 25_000_000
