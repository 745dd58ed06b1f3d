/** Of an Intel TDX quote and Intel’s collateral. */
export const tdxCodes = {} as const
