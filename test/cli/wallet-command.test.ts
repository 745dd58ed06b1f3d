import { describe, expect, it } from 'vitest'
import { walletCommand } from '../../src/cli/wallet-command.ts'

describe('sotto wallet limits', () => {
  it.each(['-1', 'much', '', '1.2345', '1e3', '0x10', '99999999999999999'])('takes no %j', async (amount) => {
    const command = walletCommand()
    for (const each of [command, ...command.commands])
      each.exitOverride().configureOutput({ writeErr: () => undefined })
    await expect(
      command.parseAsync(['limits', `--per-day=${amount}`], { from: 'user' }),
    ).rejects.toMatchObject({ code: 'commander.invalidArgument' })
  })
})

it('takes a connection as no argument, where other programs of this machine could read it', async () => {
  const command = walletCommand()
  for (const each of [command, ...command.commands])
    each.exitOverride().configureOutput({ writeErr: () => undefined })
  await expect(
    command.parseAsync(['connect', 'nostr+walletconnect://x'], { from: 'user' }),
  ).rejects.toMatchObject({ code: 'commander.excessArguments' })
})
