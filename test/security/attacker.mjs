// Runs as another user of the machine. Prints its results as one line of JSON.
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import process from 'node:process'

const { dataDir, pid, ports, targets } = JSON.parse(process.argv[2] ?? '')

/** Writes one request unchanged, and returns everything that it receives. */
const ask = (/** @type {number} */ port, /** @type {string} */ method, /** @type {string} */ target) =>
  new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      ),
    )
    socket.setEncoding('latin1').on('data', (/** @type {string} */ text) => (received += text))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ port, method, target, received }))
  })

/** The result of `work`, or the code of its error. */
const attempt = (/** @type {() => unknown} */ work) => {
  try {
    return { got: String(work()) }
  } catch (thrown) {
    return { refused: thrown instanceof Error && 'code' in thrown ? thrown.code : String(thrown) }
  }
}

const answers = []
for (const port of ports)
  for (const target of targets)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT']) answers.push(await ask(port, method, target))

const ownerSocket = await new Promise((resolve) => {
  const socket = connect(`${dataDir}/sotto.sock`, () => resolve({ got: 'a connection' }))
  socket.on('error', (thrown) => resolve({ refused: 'code' in thrown ? thrown.code : String(thrown) }))
})

process.stdout.write(
  `${JSON.stringify({
    uid: process.getuid?.(),
    answers,
    ownerSocket,
    folder: attempt(() => readdirSync(dataDir)),
    vault: attempt(() => readFileSync(`${dataDir}/vault.json`)),
    environment: attempt(() => readFileSync(`/proc/${String(pid)}/environ`)),
    inspector: attempt(() => process.kill(pid, 'SIGUSR1')),
  })}\n`,
)
