import { expect, it } from 'vitest'
import type { ApiContext } from '../../../../src/core/rpc/context.ts'
import { createApi } from '../../../../src/core/rpc/create-api.ts'
import { APP_ORIGIN, Caller, WindowSessions } from '../../../../src/core/gateway/callers/index.ts'

/** The core goes on. */
const ended = new AbortController().signal

it('is constructed for a valid token of a window, and for no other', () => {
  const sessions = new WindowSessions()
  const token = String(sessions.exchange(sessions.newCode()))
  expect(Caller.fromWindowToken(sessions, `Bearer ${token}`)).toMatchObject({
    kind: 'window',
    id: sessions.list()[0]?.id,
  })
  for (const header of [undefined, '', 'Bearer x', `bearer ${token}`, `Basic ${token}`, `Bearer ${token}x`])
    expect(Caller.fromWindowToken(sessions, header)).toBeNull()
  expect(Caller.fromWindowToken(new WindowSessions(), `Bearer ${token}`)).toBeNull()
})

it.each([[undefined], ['null'], ['app://sotto/'], ['app://sotto.evil'], ['https://sotto'], [[APP_ORIGIN]]])(
  'is not constructed for the initiator %s',
  (initiator) => {
    expect(Caller.fromAppPage(initiator)).toBeNull()
  },
)

it('opens no procedure to an object that only looks like a caller', async () => {
  const { api } = createApi({ windows: new WindowSessions(), ended } as unknown as ApiContext)
  const request = () =>
    new Request('http://sotto.invalid/api/windows/list', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  for (const forged of [
    { kind: 'window', id: 'desktop' },
    Object.create(Caller.prototype) as Caller,
    structuredClone(Caller.owner()),
    undefined,
    null,
  ]) {
    expect((await api(request(), forged as Caller)).status).toBe(401)
  }
  expect((await api(request(), Caller.owner())).status).toBe(200)
})

it.each([
  ['GET', 405],
  ['HEAD', 405],
  ['PUT', 405],
  ['DELETE', 405],
  ['OPTIONS', 405],
] as const)('opens no procedure to %s', async (method, status) => {
  const { api } = createApi({ windows: new WindowSessions(), ended } as unknown as ApiContext)
  expect(
    (await api(new Request('http://sotto.invalid/api/windows/list', { method }), Caller.owner())).status,
  ).toBe(status)
})

it.each([
  [undefined],
  ['text/plain'],
  ['application/x-www-form-urlencoded'],
  ['application/octet-stream'],
  ['application/json-patch+json'],
  ['x'],
])('opens no procedure to a body of the type %s', async (type) => {
  const { api } = createApi({ windows: new WindowSessions(), ended } as unknown as ApiContext)
  const body = new TextEncoder().encode('{}')
  expect(
    (
      await api(
        new Request('http://sotto.invalid/api/windows/list', {
          method: 'POST',
          headers: type === undefined ? {} : { 'content-type': type },
          body,
        }),
        Caller.owner(),
      )
    ).status,
  ).toBe(415)
})

it('serves files and procedures apart: neither reaches the other', async () => {
  const core = createApi({
    windows: new WindowSessions(),
    ended,
    open: () => ({ studio: { links: { get: () => null }, uploads: {} } }),
  } as unknown as ApiContext)
  expect(
    (
      await core.files(
        new Request('http://sotto.invalid/api/windows/list', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
      )
    ).status,
  ).toBe(404)
  expect(
    (
      await core.api(
        new Request('http://sotto.invalid/media/x', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
        Caller.owner(),
      )
    ).status,
  ).toBe(404)
})
