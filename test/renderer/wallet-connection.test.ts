import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

/** Answers the change that waits. */
let answer: (answer: unknown) => void = () => undefined
const waits = () =>
  new Promise((resolve) => {
    answer = resolve
  })

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: {
    wallet: {
      connect: waits,
      disconnect: waits,
      disconnectAutomaticTopup: waits,
    },
  },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readAnswer, readScopedState, writeAnswer } = await import('../../src/renderer/data/use-answer.ts')
const wallet = await import('../../src/renderer/features/wallet/connection/wallet-store.ts')

function useService(profileId: string): void {
  setStatus({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  } as Status)
}

const limits = { perPayment: '1', perDay: '1', perHostAndDay: '1', automaticUpTo: '1' }
const unconnected = { connection: null, limits, spent: { day: '0', held: '0' }, hosts: [] }
const connected = {
  ...unconnected,
  connection: {
    kind: 'nwc' as const,
    publicKey: 'aa',
    relays: [],
    methods: [],
    canLookUp: true,
    connectedAt: 1,
  },
}
const shown = () => readAnswer(currentScope(), wallet.walletQuestion)
const toRemove = () => readScopedState(currentScope(), wallet.connectionsToRemove)

beforeEach(() => {
  useService('one')
  currentScope().client.clear()
})

test('a disconnected wallet is to be removed in the wallet, until another one is connected', async () => {
  writeAnswer(currentScope(), wallet.walletQuestion, () => connected)
  const disconnecting = wallet.disconnectWallet()
  answer(unconnected)
  await disconnecting
  expect(shown()).toEqual(unconnected)
  expect(toRemove()).toEqual(['wallet'])
  const connecting = wallet.connectWallet('nostr+walletconnect://x')
  answer(connected)
  await connecting
  expect(shown()).toEqual(connected)
  expect(toRemove()).toEqual([])
})

test('a change at a service that was left is not shown at the next one', async () => {
  const connecting = wallet.connectWallet('nostr+walletconnect://x')
  useService('two')
  answer(connected)
  await connecting
  expect(shown()).toBeUndefined()
  const disconnecting = wallet.disconnectAutomaticTopup()
  useService('one')
  answer({ connected: false })
  await disconnecting
  expect(readAnswer(currentScope(), wallet.automaticTopupQuestion)).toBeUndefined()
  expect(toRemove()).toEqual([])
})
