import { expect, it } from 'vitest'
import { confirmHere } from '../../src/cli/confirm-here.ts'
import { CommandFailure, type ContractClient } from '../../src/cli/client.ts'
import { failure } from '../../src/cli/with-client.ts'
import { fakeTerminal } from './fake-terminal.ts'

const terminal = fakeTerminal()

const CODE = 'ACDE-F347'

/** A door at which one question waits until it is answered with CODE, here or elsewhere. EARLY is too early for any answer. */
function asking(): { client: ContractClient; work: Promise<string>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>()
  let waits = true
  const end = (): void => {
    waits = false
    resolve('done')
  }
  const confirmations = {
    pending: () => Promise.resolve(waits ? { id: 'one', says: [{ english: 'Make a key\u001b[2J' }] } : null),
    answer: ({ code }: { code: string }) => {
      if (code === 'EARLY')
        return Promise.reject(new CommandFailure({ ...failure('confirm/too-soon'), retryAfterSeconds: 4 }))
      if (code === CODE) end()
      return Promise.resolve(code === CODE ? { accepted: true } : { accepted: false, retryAfterSeconds: 1 })
    },
  }
  return { client: { confirmations } as unknown as ContractClient, work: promise, end }
}

it('asks for the code until it is correct, and shows the question once', async () => {
  const { client, work } = asking()
  const confirmed = confirmHere(client, () => work)
  await expect.poll(terminal.shown).toContain('Code from')
  terminal.type('0000-0000\n')
  await expect.poll(() => terminal.shown().split('Code from').length).toBe(3)
  terminal.type('EARLY\n')
  await expect.poll(() => terminal.shown().split('Code from').length).toBe(4)
  terminal.type(`${CODE}\n`)
  expect(await confirmed).toBe('done')
  expect(terminal.shown()).toContain('Wrong code. You can try again in 1 second.\n')
  expect(terminal.shown()).toContain(
    'Sotto waits after a wrong code or a denied request before it accepts another answer. Wait, then try again. You can try again in 4 seconds.\n',
  )
  expect(terminal.shown().match(/Confirm: Make a key/g)).toHaveLength(1)
  expect(terminal.shown()).not.toContain('Confirm: Make a key\u001b')
})

it('stops asking when the code is entered in the window', async () => {
  const { client, work, end } = asking()
  const confirmed = confirmHere(client, () => work)
  await expect.poll(terminal.shown).toContain('Code from')
  end()
  expect(await confirmed).toBe('done')
})

it('fails if the confirmed call fails', async () => {
  const { client } = asking()
  await expect(confirmHere(client, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
