// A stdio server of the Model Context Protocol for tests, written by hand so that it can misbehave.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { connect } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
const object = (properties = {}) => ({ type: 'object', properties })

const tools = {
  echo: { run: ({ message }) => text(message) },
  environment: { run: () => text(JSON.stringify(process.env)) },
  folder: { run: () => text(process.cwd()) },
  count: {
    // A side effect that a test can count.
    run: ({ file }) => {
      appendFileSync(file, 'x')
      return text('counted')
    },
  },
  dial: {
    run: ({ port }) =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1')
        socket.once('connect', () => resolve(text('connected')))
        socket.once('error', () => resolve(text('refused')))
      }),
  },
  child: {
    run: () => text(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid),
  },
  image: {
    run: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] }),
  },
  fails: { run: () => ({ ...text('It failed.'), isError: true }) },
  long: { run: () => text('x'.repeat(9 * 1024 * 1024)) },
  log: {
    run: ({ length }) =>
      new Promise((resolve) => process.stderr.write('x'.repeat(length), () => resolve(text('logged')))),
  },
  ends: { run: () => process.exit(3) },
  waits: { run: () => new Promise(() => undefined) },
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
process.stderr.write('started\n')
process.stdout.write('this line is no message\n')

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize')
    return send({
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'test', version: '1' },
      },
    })
  if (method === 'tools/list')
    return send({
      id,
      result: {
        tools: Object.keys(tools).map((name) => ({
          name,
          description: `The tool ${name}.`,
          inputSchema: object(),
          annotations: { readOnlyHint: true },
        })),
      },
    })
  if (method === 'tools/call') {
    const tool = tools[params.name]
    if (!tool) return send({ id, error: { code: -32602, message: 'No such tool.' } })
    return send({ id, result: await tool.run(params.arguments) })
  }
  send({ id, error: { code: -32601, message: 'Method not found' } })
})
