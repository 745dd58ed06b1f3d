import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { giveMemoryBack } from './idle-gc.ts'

/** More than the buffer of Node's HTTP parser (64 KiB). */
const ZEROS = 256 << 10

let last: Promise<void> = Promise.resolve()

/**
 * Overwrites the text that JavaScript released and can't zero: the passphrase, secrets in their text form, prompts. One
 * collection moves the objects in use and zeroes the rest of V8's memory. Never throws.
 *
 * Call it when nothing refers to the secrets any more. Memory outside V8's is overwritten when it is freed
 * (restart.ts).
 */
export function overwriteFreedMemory(): Promise<void> {
  // One at a time: the end of one turns off the flags that the next one needs.
  last = last.then(overwrite)
  return last
}

async function overwrite(): Promise<void> {
  const flags = ['clear-free-memory', 'compact-on-every-full-gc']
  for (const flag of flags) setFlagsFromString(`--${flag}`)
  try {
    await giveMemoryBack()
    await overwriteReadBuffer().catch(() => undefined)
  } finally {
    for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  }
}

/** Node reads all HTTP connections into one buffer, which still contains parts of the last requests: this sends zeros there. */
async function overwriteReadBuffer(): Promise<void> {
  const server = createServer((incoming, response) => {
    incoming.resume().once('end', () => response.end())
  })
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = z.object({ port: z.number() }).parse(server.address())
    const sending = request({ host: '127.0.0.1', port, method: 'POST', agent: false })
    sending.on('response', (response) => response.resume()).end(Buffer.alloc(ZEROS))
    await once(sending, 'close')
  } finally {
    server.close()
  }
}
