const MSAT = 1000n

/** msat as a person reads it: "1,234 sat", "0.5 sat". */
export function formatSat(msat: bigint): string {
  const whole = (msat / MSAT).toString().replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const fraction = (msat % MSAT).toString().padStart(3, '0').replace(/0+$/, '')
  return `${whole}${fraction === '' ? '' : `.${fraction}`} sat`
}
