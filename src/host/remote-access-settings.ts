import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { originSchema } from '../shared/key-limits.ts'
import type { RemoteAddress } from '../shared/remote-access.ts'
import { msg, type LocalizedText } from '../shared/localized-text.ts'
import { SettingError } from './log-settings.ts'

/**
 * The settings for remote access: from flags, the environment, and `reach.json` of the data folder, in this
 * order.
 */
const FLAGS = {
  bind: 'SOTTO_BIND',
  tlsCert: 'SOTTO_TLS_CERT',
  tlsKey: 'SOTTO_TLS_KEY',
  allowHost: 'SOTTO_ALLOW_HOST',
  allowOrigin: 'SOTTO_ALLOW_ORIGIN',
} as const
/** Set only in the container image; the flag has no effect elsewhere. */
const IMAGE_MARK = 'SOTTO_CONTAINER_IMAGE'
const MAX_FILE_BYTES = 64 * 1024

const hostName = z
  .string()
  .toLowerCase()
  .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)(:\d{1,5})?$/)
/** Loopback, and IPv4 written as IPv6, by which loopback and all addresses have one more name. */
const REFUSED = /^(127\.|::1$|::ffff:)/
/** An IPv6 address in the one spelling that is compared here and that callers send as Host (RFC 5952). */
const ipv6 = z.ipv6().transform((host) => new URL(`http://[${host}]`).hostname.slice(1, -1))
const address = z.union([z.ipv4(), ipv6]).refine((host) => !REFUSED.test(host))
const bind = z.string().transform((text, context) => {
  const [, host = '', port = ''] = /^(?:\[(?=.*\]))?([0-9a-f.:]+?)\]?:(\d{1,5})$/i.exec(text) ?? []
  const parsed = z
    .object({ host: address, port: z.coerce.number().int().min(1).max(65_535) })
    .safeParse({ host, port })
  if (parsed.success) return parsed.data
  context.addIssue('an address of this machine that is not loopback’s, and a port')
  return z.NEVER
})

const fileSchema = z.strictObject({
  bind: z.string().optional(),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  allowHost: z.array(z.string()).max(100).optional(),
  allowOrigin: z.array(z.string()).max(100).optional(),
})

export interface RemoteAccessFlags extends z.infer<typeof fileSchema> {
  readonly insecurePlaintextInContainer?: boolean
}

export interface RemoteAccessSettings {
  readonly allow: { readonly hosts: readonly string[]; readonly origins: readonly string[] }
  readonly remoteAddress?: RemoteAddress
}

/** Throws SettingError for what cannot be used, and for what would be less safe than it looks. */
export async function readRemoteAccess(
  dataDir: string,
  environment: NodeJS.ProcessEnv,
  flags: RemoteAccessFlags,
): Promise<RemoteAccessSettings> {
  const file = await readRemoteAccessFile(join(dataDir, 'reach.json'))
  const one = (name: 'bind' | 'tlsCert' | 'tlsKey'): string | undefined =>
    flags[name] ?? (environment[FLAGS[name]] || undefined) ?? file[name]
  const list = (name: 'allowHost' | 'allowOrigin'): string[] =>
    flags[name] ??
    environment[FLAGS[name]]
      ?.split(',')
      .map((part) => part.trim())
      .filter(Boolean) ??
    file[name] ??
    []
  const allow = {
    hosts: read(
      z.array(hostName),
      list('allowHost'),
      msg('--allow-host accepts names such as box.example or box.example:8443.'),
    ),
    origins: read(
      z.array(originSchema),
      list('allowOrigin'),
      msg('--allow-origin accepts origins such as https://notes.example.'),
    ),
  }
  const [cert, key] = [one('tlsCert'), one('tlsKey')]
  if ((cert === undefined) !== (key === undefined))
    throw new SettingError(
      msg('A certificate and its key must be provided together: --tls-cert and --tls-key.'),
    )
  const plaintext = flags.insecurePlaintextInContainer === true
  if (plaintext && environment[IMAGE_MARK] !== '1')
    throw new SettingError(msg('--insecure-plaintext-in-container works only in Sotto’s container image.'))
  const wanted = one('bind')
  if (wanted === undefined) {
    if (cert !== undefined || plaintext)
      throw new SettingError(
        msg(
          'A certificate, or plaintext in the container, requires a non-loopback address. Set one with --bind.',
        ),
      )
    return { allow }
  }
  const at = read(
    bind,
    wanted,
    msg('--bind accepts a non-loopback address and a port: 192.168.1.5:8443 or [::]:8443.'),
  )
  if ((at.host === '0.0.0.0' || at.host === '::') && allow.hosts.length === 0)
    throw new SettingError(
      msg('If Sotto listens on all addresses, --allow-host must list its allowed hostnames.'),
    )
  if (plaintext && cert !== undefined)
    throw new SettingError(msg('Use either plaintext or a certificate, not both.'))
  return {
    allow,
    remoteAddress: {
      ...at,
      tls: plaintext
        ? 'none-in-container'
        : cert !== undefined && key !== undefined
          ? { certificate: await readText(cert), key: await readText(key) }
          : 'own',
    },
  }
}

function read<Output>(schema: z.ZodType<Output>, value: unknown, otherwise: LocalizedText): Output {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new SettingError(otherwise)
  return parsed.data
}

/**
 * The check of the data folder follows before any of this is used. Until then this follows no link and
 * doesn't wait for a pipe. If the folder cannot be entered, that check reports the reason.
 */
async function readRemoteAccessFile(path: string): Promise<z.infer<typeof fileSchema>> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return {}
  if (!found.isFile()) throw new SettingError(msg('{path} isn’t a regular file.', { path }))
  const text = await readText(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new SettingError(msg('{path} isn’t valid JSON.', { path }), { cause })
  }
  return read(fileSchema, value, msg('{path} contains an invalid setting.', { path }))
}

async function readText(path: string): Promise<string> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new SettingError(msg('{path} can’t be read.', { path }), { cause })
  }
  if (text.length > MAX_FILE_BYTES) throw new SettingError(msg('{path} is too large.', { path }))
  return text
}
