import { describe, expect, it } from 'vitest'
import { contactsOf } from '../../../src/core/app/contacts.ts'
import { sandboxProfile } from '../../../src/sandbox/profile.ts'

const { policy } = sandboxProfile('http://127.0.0.1:1')
if (!policy) throw new Error('the sandbox has a policy')
const service = { kind: 'service', revision: 'B', baseUrl: 'https://api.service.example' } as const

describe('the hosts that may be contacted', () => {
  it('are the service’s, the wallet’s and those that the owner adds', () => {
    expect(
      contactsOf({
        profile: {
          ...service,
          baseUrl: 'https://api.service.example/v2',
          alternativeBaseUrl: 'https://audio.service.example',
        },
        relays: ['relay.example', 'other.example:7443'],
        others: [{ host: 'proxy.example:3128', use: 'outbound-proxy' }],
      }),
    ).toEqual([
      { host: 'api.service.example', use: 'service', loopback: false },
      { host: 'audio.service.example', use: 'service-audio', loopback: false },
      { host: 'relay.example', use: 'wallet-relay', loopback: false },
      { host: 'other.example:7443', use: 'wallet-relay', loopback: false },
      { host: 'proxy.example:3128', use: 'outbound-proxy', loopback: false },
    ])
  })
  it.each([
    ['http://127.0.0.1:4000', true],
    ['http://[::1]:4000', true],
    ['https://service.localhost:4000', true],
    ['https://localhost.:4000', true],
    ['https://[::ffff:127.0.0.1]:4000', true],
    ['https://127.0.0.1.example', false],
  ])('%s is on this machine: %s', (baseUrl, loopback) => {
    expect(contactsOf({ profile: { ...service, baseUrl }, relays: [], others: [] })[0]?.loopback).toBe(
      loopback,
    )
  })

  it('include the service’s enclave and its image record only if chat is relayed', () => {
    const serviceEnclave = {
      baseUrl: 'https://enclave.service.example',
      imageRecordUrl: 'https://record.example/published.json',
      provenance: { ...policy.code, workflow: '.github/workflows/build.yml' },
    }
    const usesOf = (profile: Parameters<typeof contactsOf>[0]['profile'], relaysChat: boolean) =>
      contactsOf({ profile, relaysChat, relays: [], others: [] }).map(({ host, use }) => `${use} ${host}`)
    expect(usesOf({ ...service, serviceEnclave }, true)).toEqual([
      'service api.service.example',
      'service-enclave enclave.service.example',
      'image-record record.example',
    ])
    expect(usesOf({ ...service, serviceEnclave }, false)).toEqual(['service api.service.example'])
    expect(usesOf(service, true)).toEqual(['service api.service.example'])
  })

  it('include AMD’s key server only if its lists are downloaded', () => {
    const { sevSnp: _, ...others } = policy
    const usesOf = (profile: Parameters<typeof contactsOf>[0]['profile']) =>
      contactsOf({ profile, relays: [], others: [] }).map(({ host, use }) => `${use} ${host}`)
    expect(usesOf({ ...service, policy })).toEqual([
      'service api.service.example',
      'revocation-lists kdsintf.amd.com',
    ])
    for (const profile of [
      { ...service, policy: others },
      service,
      { ...service, policy, revision: 'A' as const },
      { ...service, policy, kind: 'sandbox' as const },
    ]) {
      expect(usesOf(profile)).toEqual(['service api.service.example'])
    }
  })
})
