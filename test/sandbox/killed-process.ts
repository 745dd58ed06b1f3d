import { StatementSync } from 'node:sqlite'
import { z } from 'zod'
import { startSandbox } from '../../src/sandbox/index.ts'

/**
 * A sandbox in its own process, which ends with SIGKILL right before or after the statement that the parent names.
 * argv: its folder.
 */
const orderSchema = z.union([
  z.object({ pay: z.string() }),
  z.object({ statement: z.string(), when: z.enum(['before', 'after']) }),
])

let armed: { statement: string; when: 'before' | 'after' } | undefined
const die = (statement: StatementSync, when: string) => {
  if (armed?.when === when && statement.sourceSQL.trim().startsWith(armed.statement))
    process.kill(process.pid, 'SIGKILL')
}
// oxlint-disable-next-line typescript/unbound-method -- the proxy hands on whose method it is
StatementSync.prototype.run = new Proxy(StatementSync.prototype.run, {
  apply(run, statement: StatementSync, values: Parameters<StatementSync['run']>) {
    die(statement, 'before')
    const result: unknown = Reflect.apply(run, statement, values)
    die(statement, 'after')
    return result
  },
})

const sandbox = await startSandbox({ folder: process.argv[2] ?? '', pace: 'none' })
const control = await sandbox.control()
process.on('disconnect', () => process.exit(0))
process.on('message', (message) => {
  const order = orderSchema.parse(message)
  if ('pay' in order) void control.pay(order.pay).then((paid) => process.send?.(paid))
  else {
    armed = order
    process.send?.('armed')
  }
})
process.send?.({ baseUrl: sandbox.baseUrl, ...control.createAccount(1_000_000_000_000n) })
