#!/usr/bin/env node
/*
 * Starts Firefox ESR for Playwright, which drives it by WebDriver BiDi. Between them it adds what one of them lacks:
 *
 * - Firefox ESR 153 doesn't know `emulation.setMediaFeaturesOverride`. It is answered as done, so pages have the theme
 *   and the motion of the system.
 * - Playwright sets the value of a field in the page's own realm, where React takes it for its own change. The script
 *   makes React notice each input event that a script dispatched.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

const UNKNOWN_TO_FIREFOX = 'emulation.setMediaFeaturesOverride'
const SCRIPT_ID = 2 ** 50
const SCRIPT = `() => addEventListener('input', (event) => {
  if (!event.isTrusted) event.target._valueTracker?.setValue(String.fromCharCode(0))
}, true)`

const firefox = spawn(process.env.FIREFOX_PATH ?? 'firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
firefox.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => firefox.kill(signal))
// Playwright reads the address from this output.
createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, address] = /^WebDriver BiDi listening on (ws:\/\/127\.0\.0\.1:\d+)$/.exec(line) ?? []
  if (address === undefined) process.stderr.write(`${line}\n`)
  else relay(address)
})

function relay(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (playwright, { url }) => {
    const upstream = new WebSocket(address + url)
    const opened = new Promise((resolve) => upstream.once('open', resolve))
    let hasScript = false
    playwright.on('message', async (data) => {
      await opened
      const { id, method } = JSON.parse(data)
      if (method === UNKNOWN_TO_FIREFOX) playwright.send(JSON.stringify({ type: 'success', id, result: {} }))
      else upstream.send(String(data))
    })
    upstream.on('message', (data) => {
      const { id } = JSON.parse(data)
      if (id === SCRIPT_ID) return
      playwright.send(String(data))
      // The answer to the first command is that of the new session.
      if (id === undefined || hasScript) return
      hasScript = true
      upstream.send(
        JSON.stringify({
          id: SCRIPT_ID,
          method: 'script.addPreloadScript',
          params: { functionDeclaration: SCRIPT },
        }),
      )
    })
    playwright.on('close', () => upstream.close())
    upstream.on('close', () => playwright.close())
  })
  server.on('listening', () => {
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`)
  })
}
