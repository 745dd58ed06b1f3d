import { formatUsd } from '../../ui/format/money.ts'

/** Never shown as more than is there: "4.219" -> "$4.21", "0.00457" -> "0.45¢", "-0.311" -> "−$0.32". `pico`: pico-USD in decimal text. */
export function formatBalance(pico: string): string {
  return formatUsd(pico, { round: 'down' })
}

export type BalanceStatus = 'enough' | 'low' | 'empty' | 'owing'

/** @param below pico-USD: a smaller balance is low; undefined if the threshold is unknown */
export function statusOfBalance(pico: string, below: bigint | undefined): BalanceStatus {
  const value = BigInt(pico)
  if (value < 0n) return 'owing'
  if (value === 0n) return 'empty'
  return below !== undefined && value < below ? 'low' : 'enough'
}
