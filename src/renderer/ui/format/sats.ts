import { withoutTrailing } from '../../../shared/without-trailing.ts'
import { formatDecimal } from './number.ts'

const MSAT_DIGITS = 3

/** Msat in decimal text as satoshis in decimal text, exactly: "53250" -> "53.25". */
export function exactSats(msat: string): string {
  const digits = msat.padStart(MSAT_DIGITS + 1, '0')
  const whole = digits.slice(0, -MSAT_DIGITS).replace(/^0+(?=\d)/, '')
  const part = withoutTrailing('0', digits.slice(-MSAT_DIGITS))
  return part ? `${whole}.${part}` : whole
}

/** For reading: "1,234 sats", "1 sat", "0.25 sats". Exact, since it is what is paid. */
export function formatSats(msat: string): string {
  const sats = exactSats(msat)
  return `${formatDecimal(sats)} ${sats === '1' ? 'sat' : 'sats'}`
}

/** What was typed as satoshis, in msat; undefined for what is no amount. Spaces and commas between thousands are let be; none stands behind a zero. */
export function readSats(text: string): string | undefined {
  const match = /^(\d{1,16})(?:\.(\d{1,3}))?$/.exec(text.trim().replaceAll(/(?<!^0)(?<=\d)[\s,](?=\d{3}(?:\D|$))/g, ''))
  if (!match) return undefined
  return BigInt(`${match[1] ?? ''}${(match[2] ?? '').padEnd(MSAT_DIGITS, '0')}`).toString()
}

/** What so many msat are worth at a rate, both in pico-USD; rounded up. */
export function picoUsdAt(picoUsdPerSat: string, msat: string): string {
  return ((BigInt(msat) * BigInt(picoUsdPerSat) + 999n) / 1000n).toString()
}
