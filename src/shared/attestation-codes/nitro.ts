/** Of an AWS Nitro attestation document. */
export const nitroCodes = {} as const
