import { z } from 'zod'
import { SettingError } from '../../host/log-settings.ts'
import { readSecretFile } from '../../host/private-file.ts'
import { msg } from '../../shared/localized-text.ts'

const URL_NAME = 'SOTTO_ADMIN_URL'
const BIND = 'SOTTO_ADMIN_BIND'
const ISSUER = 'SOTTO_OIDC_ISSUER'
const CLIENT_ID = 'SOTTO_OIDC_CLIENT_ID'
const SECRET_FILE = 'SOTTO_OIDC_CLIENT_SECRET_FILE'
const NAMES = [URL_NAME, ISSUER, CLIENT_ID, SECRET_FILE]
const DEFAULT_BIND = '127.0.0.1:8404'
const MAX_SECRET_LENGTH = 4096

/** The settings of the admin page. */
export interface AdminSettings {
  /** Origin of the page as browsers reach it: HTTPS, which ends at the load balancer. */
  readonly origin: string
  readonly bind: { readonly host: string; readonly port: number }
  readonly oidc: { readonly issuer: URL; readonly clientId: string; readonly clientSecret: string }
}

/** HTTPS. HTTP only on loopback, for development and tests. */
const secureUrl = z
  .string()
  .max(500)
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null
    const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === '127.0.0.1')
    if (url && isSecure && `${url.username}${url.password}${url.search}${url.hash}` === '') return url
    context.addIssue('a URL with HTTPS, without user, query and fragment')
    return z.NEVER
  })
const origin = secureUrl.refine(({ pathname }) => pathname === '/').transform((url) => url.origin)
const bind = z.string().transform((text, context) => {
  const [, host, port] = /^\[?([0-9a-f.:]+?)\]?:(\d{1,5})$/i.exec(text) ?? []
  const parsed = z
    .object({ host: z.union([z.ipv4(), z.ipv6()]), port: z.coerce.number().int().max(65_535) })
    .safeParse({ host, port })
  if (parsed.success) return parsed.data
  context.addIssue('an address of this machine, and a port')
  return z.NEVER
})

/**
 * Reads SOTTO_ADMIN_URL, SOTTO_ADMIN_BIND and SOTTO_OIDC_….
 * @returns null if none of them is set: then there is no page
 * @throws {SettingError} only some of them are set, one is invalid, or the secret's file isn't private
 */
export async function readAdminSettings(environment: NodeJS.ProcessEnv): Promise<AdminSettings | null> {
  if ([...NAMES, BIND].every((name) => !environment[name])) return null
  for (const name of NAMES)
    if (!environment[name])
      throw new SettingError(msg('The admin page also needs the setting {name}.', { name }))
  const clientSecret = await readSecretFile({
    name: SECRET_FILE,
    path: environment[SECRET_FILE] ?? '',
    maxLength: MAX_SECRET_LENGTH,
    environment,
  })
  const read = <T>(schema: z.ZodType<T, string>, name: string, otherwise = ''): T => {
    const parsed = schema.safeParse(environment[name] || otherwise)
    if (!parsed.success) throw new SettingError(msg('{name} has an invalid value.', { name }))
    return parsed.data
  }
  return {
    origin: read(origin, URL_NAME),
    bind: read(bind, BIND, DEFAULT_BIND),
    oidc: {
      issuer: read(secureUrl, ISSUER),
      clientId: read(z.string().min(1).max(500), CLIENT_ID),
      clientSecret,
    },
  }
}
