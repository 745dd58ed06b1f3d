import type { Contact } from '../../src/shared/contact.ts'
import type { LogEntry } from '../../src/shared/log-events.ts'

/** The hosts that the mock core connects to. */
export const contacts: Contact[] = [
  { host: '127.0.0.1:40123', use: 'service', loopback: true },
  { host: 'relay.wallet.example', use: 'wallet-relay', loopback: false },
]

export const logEntries: LogEntry[] = [
  {
    seq: 1,
    at: Date.UTC(2026, 1, 1, 9, 0, 0),
    level: 'info',
    event: 'sotto/started',
    fields: { service: 'sandbox', vault: 'keychain', vaultState: 'open' },
  },
  { seq: 2, at: Date.UTC(2026, 1, 1, 9, 0, 1), level: 'info', event: 'vault/opened', fields: {} },
  {
    seq: 3,
    at: Date.UTC(2026, 1, 1, 9, 5, 0),
    level: 'warn',
    event: 'proxy/refused',
    fields: {
      code: 'auth/invalid-api-key',
      status: 401,
      method: 'POST',
      route: '/v1/chat/completions',
      keyFingerprint: '0a1b2c3d',
    },
  },
  {
    seq: 4,
    at: Date.UTC(2026, 1, 1, 9, 6, 0),
    level: 'info',
    event: 'request/ended',
    fields: {
      receipt: '4f9c2f0e-6a0b-4d57-9d5b-0f1c2d3e4a5b',
      caller: 'window',
      path: 'chat',
      privacy: 'sealed',
      outcome: 'complete',
      bytesSent: 812,
      bytesReceived: 2110,
    },
  },
]
