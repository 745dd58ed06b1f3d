import type { Contact } from '../../shared/contact.ts'
import type { Profile } from '../../shared/profile.ts'
import { AMD_KEY_SERVER, looksUpRevocation } from '../../shared/revocation-lookup.ts'

export interface ContactSources {
  readonly profile: Pick<Profile, 'kind' | 'baseUrl' | 'alternativeBaseUrl' | 'revision' | 'policy'>
  /** Hosts of the connected wallet's relays. */
  readonly relays: readonly string[]
  /** Hosts that connections go through or that are asked for new versions, as whoever owns this core says. */
  readonly others: readonly Pick<Contact, 'host' | 'use'>[]
}

/**
 * Every host that this core may connect to. The service's addresses are the only ones that its requests go to: an address that the
 * service names is asked for at its own hosts alone, and evidence comes by the service too. AMD's revocation lists come from AMD.
 */
export function contactsOf({ profile, relays, others }: ContactSources): Contact[] {
  const { baseUrl, alternativeBaseUrl } = profile
  const all: Omit<Contact, 'loopback'>[] = [
    { host: new URL(baseUrl).host, use: 'service' },
    ...(alternativeBaseUrl === undefined ? [] : [{ host: new URL(alternativeBaseUrl).host, use: 'service-audio' as const }]),
    ...(looksUpRevocation(profile) ? [{ host: AMD_KEY_SERVER, use: 'revocation-lists' as const }] : []),
    ...relays.map((host) => ({ host, use: 'wallet-relay' as const })),
    ...others,
  ]
  return all.map((contact) => ({ ...contact, loopback: isLoopback(contact.host) }))
}

function isLoopback(host: string): boolean {
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
