import { describe, expect, it } from 'vitest'
import { contactsOf } from '../../../src/core/api/contacts.ts'

describe('the hosts that may be contacted', () => {
  it('are the service’s, the wallet’s and what the owner names', () => {
    expect(contactsOf({
      profile: { baseUrl: 'https://api.service.example/v2', alternativeBaseUrl: 'https://audio.service.example' },
      relays: ['relay.example', 'other.example:7443'],
      others: [{ host: 'proxy.example:3128', use: 'outbound-proxy' }],
    })).toEqual([
      { host: 'api.service.example', use: 'service', loopback: false },
      { host: 'audio.service.example', use: 'service-audio', loopback: false },
      { host: 'relay.example', use: 'wallet-relay', loopback: false },
      { host: 'other.example:7443', use: 'wallet-relay', loopback: false },
      { host: 'proxy.example:3128', use: 'outbound-proxy', loopback: false },
    ])
  })
  it.each([['http://127.0.0.1:4000', true], ['http://[::1]:4000', true], ['https://127.0.0.1.example', false]])('%s stands on this machine: %s', (baseUrl, loopback) => {
    expect(contactsOf({ profile: { baseUrl }, relays: [], others: [] })[0]?.loopback).toBe(loopback)
  })
})
