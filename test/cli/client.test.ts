import { expect, it } from 'vitest'
import { clientOver, failureLine, failureOf } from '../../src/cli/client.ts'

it('asks to restart Sotto if the running version does not support the command', async () => {
  const { app } = clientOver(() => Promise.resolve(new Response('Not found', { status: 404 })))
  const failure = await app.status().then(() => null, failureOf)
  expect(failure && failureLine(failure)).toBe(
    'The running Sotto is another version than this command and doesn’t support it. Quit Sotto and start it again. (host/already-running)',
  )
})

it('ignores other failures', async () => {
  const { app } = clientOver(() => Promise.resolve(new Response('', { status: 500 })))
  expect(await app.status().then(() => 'none', failureOf)).toBe(null)
  expect(failureOf(new TypeError('x'))).toBe(null)
})
