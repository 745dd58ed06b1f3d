import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { failureLine, failureOf, type DoorClient } from './door-client.ts'

const TRIES = 3

/** Asks whoever sits at a terminal for the passphrase where the vault waits for one; an empty answer leaves that to the window. */
export async function openVaultAtTerminal(client: DoorClient, say: (line: string) => void): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return
  for (let tries = 0; tries < TRIES; tries++) {
    const { vault } = await client.app.status()
    if (vault.kind !== 'file' || (vault.state !== 'locked' && vault.state !== 'passphrase-needed')) return
    const isNew = vault.state === 'passphrase-needed'
    const passphrase = await promptSecret(isNew ? 'A passphrase for the new vault (empty: choose it in the window): ' : 'Passphrase of the vault (empty: give it in the window): ')
    if (passphrase === '') return
    if (isNew && (await promptSecret('The same again: ')) !== passphrase) {
      say('The two are not the same.')
      continue
    }
    try {
      await (isNew ? client.vault.protect({ passphrase }) : client.vault.unlock({ passphrase }))
    } catch (thrown) {
      const failure = failureOf(thrown)
      if (!failure) throw thrown
      say(failureLine(failure))
    }
  }
}

/** Asks on the terminal without showing what is typed. */
export function promptSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  // From here on the terminal shows nothing by itself: whoever sees the question may type.
  process.stderr.write(question)
  return new Promise((resolve) => {
    terminal.once('line', (line) => {
      process.stderr.write('\n')
      // Before it is closed, which is an empty answer.
      resolve(line)
      terminal.close()
    })
    terminal.once('close', () => resolve(''))
    terminal.once('SIGINT', () => {
      terminal.close()
      process.kill(process.pid, 'SIGINT')
    })
  })
}
