/**
 * Whether a host is certainly this computer: `localhost`, 127.0.0.0/8 or ::1. Use it to decide whether a
 * connection may be unencrypted. A name below `localhost` isn't certain, because some resolvers ask a server
 * for it, although RFC 6761 section 6.3 forbids that.
 * @param hostname as URL writes it
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

/** Whether the network can't read or change a request to this address: https, or http on this computer. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/**
 * Whether a host means this computer: also a name below `localhost`, a name with a dot at its end, and an
 * IPv4-mapped address. Use it to decide what to show, and whether a proxy is used. Whatever the name resolves
 * to, the loopback of a proxy is another computer.
 * @param hostname as URL writes it
 */
export function meansLoopback(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  return (
    isLoopback(host) || host.endsWith('.localhost') || /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host)
  )
}
