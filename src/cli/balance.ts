import { formatUsd } from '../shared/format-money.ts'
import { decimalUsd } from '../shared/money.ts'
import { atDoor, print } from './at-door.ts'
import { terminalSafe } from './chat.ts'

/**
 * `sotto balance`: prints the exact balance of the active account, read from the service now.
 *
 * @returns the exit code: 0, or 1 if there is no active account or the service didn't report its balance
 */
export function showBalance({ json }: { readonly json: boolean }): Promise<number> {
  return atDoor(json, async ({ accounts }) => {
    const { picoUsd } = await accounts.balance()
    const active = (await accounts.list()).find((account) => account.active)
    const balance = { picoUsd, usd: decimalUsd(BigInt(picoUsd)) }
    const amount = formatUsd(picoUsd, 'en', { style: 'exact' })
    print(
      json,
      { account: active ? { id: active.id, name: active.name } : null, balance },
      terminalSafe(active ? `${active.name}: ${amount}` : amount),
    )
    return 0
  })
}
