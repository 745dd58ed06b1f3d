import type { Contact } from '../../shared/contact.ts'
import { directEnclaves, isDirect } from '../../shared/direct.ts'
import { meansLoopback } from '../../shared/loopback.ts'
import type { Profile } from '../../shared/profile.ts'
import { AMD_KEY_SERVER, looksUpRevocation } from '../../shared/collateral-record.ts'

export interface ContactSources {
  readonly profile: Pick<
    Profile,
    'kind' | 'baseUrl' | 'alternativeBaseUrl' | 'revision' | 'policy' | 'serviceEnclave' | 'direct'
  >
  /** The host for fresh evidence, if the user chose that source. */
  readonly enclave?: string | undefined
  /** Whether chat that isn't private is sent to the service's own enclave. */
  readonly relaysChat?: boolean
  /** Hosts of the connected wallet's relays. */
  readonly relays: readonly string[]
  /** Hosts of tool servers that the person added. */
  readonly toolServers?: readonly string[]
  /** Hosts of update checks. */
  readonly updates?: readonly string[]
  /** Hosts of proxies, from the owner of this core. */
  readonly others: readonly Pick<Contact, 'host' | 'use'>[]
}

/**
 * Returns every host that this core may connect to. Requests are sent only to the service's addresses.
 * Evidence comes from the service too, and from the enclave's own server if the user chose so. If chat is
 * relayed, the service's own enclave and the record of its images are requested. AMD's revocation lists come
 * from AMD.
 */
export function contactsOf({
  profile,
  enclave,
  relaysChat = false,
  relays,
  toolServers = [],
  updates = [],
  others,
}: ContactSources): Contact[] {
  const { baseUrl, alternativeBaseUrl, serviceEnclave } = profile
  const all: Omit<Contact, 'loopback'>[] = [
    ...(isDirect(profile)
      ? directHosts(profile)
      : [{ host: new URL(baseUrl).host, use: 'service' as const }]),
    ...(alternativeBaseUrl === undefined
      ? []
      : [{ host: new URL(alternativeBaseUrl).host, use: 'service-audio' as const }]),
    ...(enclave === undefined ? [] : [{ host: enclave, use: 'enclave' as const }]),
    ...(relaysChat && serviceEnclave
      ? [
          { host: new URL(serviceEnclave.baseUrl).host, use: 'service-enclave' as const },
          { host: new URL(serviceEnclave.imageRecordUrl).host, use: 'image-record' as const },
        ]
      : []),
    ...(looksUpRevocation(profile) ? [{ host: AMD_KEY_SERVER, use: 'revocation-lists' as const }] : []),
    ...relays.map((host) => ({ host, use: 'wallet-relay' as const })),
    ...toolServers.map((host) => ({ host, use: 'tool-server' as const })),
    ...updates.map((host) => ({ host, use: 'updates' as const })),
    ...others,
  ]
  return all.map((contact) => ({
    ...contact,
    loopback: meansLoopback(new URL(`http://${contact.host}`).hostname),
  }))
}

/**
 * Returns the enclaves' hosts, which answer requests for evidence, the list of models, and sealed requests.
 */
function directHosts(profile: ContactSources['profile']): Pick<Contact, 'host' | 'use'>[] {
  return [...new Set(directEnclaves(profile).map(({ origin }) => new URL(origin).host))].map((host) => ({
    host,
    use: 'enclave-direct',
  }))
}
