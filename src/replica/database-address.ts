import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { isIP } from 'node:net'
import { z } from 'zod'
import { SottoError } from '../shared/errors.ts'

/** The address of the database, with the password. */
export interface DatabaseAddress {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string | undefined
  /** False for a Unix socket, loopback, or `sslmode=disable`. */
  readonly ssl: false | ConnectionOptions
}

const parametersSchema = z.strictObject({
  host: z.string().startsWith('/').exactOptional(),
  user: z.string().min(1).exactOptional(),
  port: z
    .string()
    .regex(/^\d{1,5}$/)
    .exactOptional(),
  // libpq's other modes connect without a verified certificate, so an attacker on the path could answer.
  sslmode: z.enum(['disable', 'verify-full']).exactOptional(),
  sslrootcert: z.string().startsWith('/').exactOptional(),
})

/**
 * Parses a libpq URL: `postgres://user:password@host:port/name`, or `postgres:///name?host=/folder&user=…` for a
 * Unix socket. A host beyond this computer is reached with TLS and a verified certificate, unless the URL has
 * `sslmode=disable`.
 * @throws {SottoError} database/address – the error contains no part of the address
 */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  try {
    return parse(new URL(text.trim()))
  } catch {
    throw new SottoError('database/address')
  }
}

function parse(url: URL): DatabaseAddress {
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') throw new TypeError('protocol')
  const entries = [...url.searchParams]
  if (new Set(entries.map(([name]) => name)).size !== entries.length || url.hash !== '')
    throw new TypeError('parameters')
  const parameters = parametersSchema.parse(Object.fromEntries(entries))
  const host = parameters.host ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1')
  const user = parameters.user ?? decodeURIComponent(url.username)
  const database = decodeURIComponent(url.pathname.slice(1))
  const port = Number(url.port === '' ? (parameters.port ?? '5432') : url.port)
  if (host === '' || user === '' || database === '' || port < 1 || port > 65_535)
    throw new TypeError('member')
  const password = url.password === '' ? undefined : decodeURIComponent(url.password)
  return { host, port, database, user, password, ssl: tlsOf(host, parameters) }
}

function tlsOf(
  host: string,
  { sslmode, sslrootcert }: z.infer<typeof parametersSchema>,
): false | ConnectionOptions {
  if (host.startsWith('/') || sslmode === 'disable') return false
  if (sslmode === undefined && isLoopback(host)) return false
  return {
    ...(isIP(host) === 0 && { servername: host }),
    ...(sslrootcert !== undefined && { ca: readFileSync(sslrootcert, 'utf8') }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
