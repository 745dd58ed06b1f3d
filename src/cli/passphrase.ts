import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { failureLine, failureOf, type ContractClient } from './client.ts'

const TRIES = 3

/**
 * Asks for the passphrase in the terminal if the vault needs one. An empty answer leaves the question to the window, and
 * an aborted signal is one.
 */
export async function unlockVaultAtTerminal(
  client: ContractClient,
  msg: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return
  for (let tries = 0; tries < TRIES; tries++) {
    const { vault } = await client.app.status()
    if (vault.kind !== 'file' || (vault.state !== 'locked' && vault.state !== 'passphrase-needed')) return
    const isNew = vault.state === 'passphrase-needed'
    const passphrase = await promptSecret(
      isNew
        ? 'New passphrase for Sotto’s data (Enter: choose it in the window): '
        : 'Passphrase (Enter: type it in the window): ',
      signal,
    )
    if (passphrase === '') return
    if (isNew && (await promptSecret('Repeat the passphrase: ', signal)) !== passphrase) {
      msg('The passphrases don’t match. Try again.')
      continue
    }
    try {
      await (isNew ? client.vault.protect({ passphrase }) : client.vault.unlock({ passphrase }))
    } catch (thrown) {
      const failure = failureOf(thrown)
      if (!failure) throw thrown
      msg(failureLine(failure))
    }
  }
}

/** Asks in the terminal without echoing the input. Returns an empty answer when the signal is aborted. */
export function promptSecret(question: string, signal?: AbortSignal): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({
    input: process.stdin,
    output: silent,
    terminal: true,
    ...(signal && { signal }),
  })
  // The terminal no longer echoes input here, so it is safe to show the question.
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
