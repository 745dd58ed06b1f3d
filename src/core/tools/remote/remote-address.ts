import { SottoError } from '../../../shared/errors.ts'

/**
 * Parses the address of a tool server that a person enters: https, or http on this computer.
 * @throws {SottoError} tools/address-refused
 */
export function parseServerAddress(text: string): URL {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '' || !isSecure(url))
    throw new SottoError('tools/address-refused')
  return url
}

/**
 * Whether the network can't read or change a request: https, or http on this computer.
 * @param url of a tool server or of its authorization server
 */
export function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

/** Whether the host is this computer, by its name. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
