import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks on the terminal without showing what is typed. */
export function promptPassphrase(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  return new Promise((resolve) => {
    terminal.once('line', (line) => {
      process.stderr.write('\n')
      terminal.close()
      resolve(line)
    })
    terminal.once('close', () => resolve(''))
    terminal.once('SIGINT', () => {
      terminal.close()
      process.kill(process.pid, 'SIGINT')
    })
  })
}
