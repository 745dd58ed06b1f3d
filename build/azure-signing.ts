import type { WindowsConfiguration } from 'electron-builder'

/** Names the account of Azure Trusted Signing, and the app that may sign with it. Azure's tools read the last three. */
export const AZURE_SIGNING_VARIABLES = [
  'AZURE_SIGNING_PUBLISHER',
  'AZURE_SIGNING_ENDPOINT',
  'AZURE_SIGNING_ACCOUNT',
  'AZURE_SIGNING_PROFILE',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
] as const

/**
 * The settings of Azure Trusted Signing, for the Windows packages.
 *
 * @returns nothing if none of the `AZURE_SIGNING_…` variables has a value: a certificate in `WIN_CSC_LINK` signs then, or nothing does
 * @throws {Error} only some variables have a value, or there is a certificate too
 */
export function azureSigningOf(env: NodeJS.ProcessEnv): WindowsConfiguration['azureSignOptions'] {
  const missing = AZURE_SIGNING_VARIABLES.filter((name) => !env[name]?.trim())
  // Other tools of Azure use the variables without "SIGNING" too.
  if (AZURE_SIGNING_VARIABLES.every((name) => !name.includes('SIGNING') || missing.includes(name)))
    return undefined
  // A release that should be signed must not be built unsigned.
  if (missing.length > 0) throw new Error(`Azure Trusted Signing also needs ${missing.join(', ')}.`)
  if (env['WIN_CSC_LINK']?.trim())
    throw new Error('Set either WIN_CSC_LINK or the variables of Azure Trusted Signing.')
  return {
    publisherName: env['AZURE_SIGNING_PUBLISHER'] ?? '',
    endpoint: env['AZURE_SIGNING_ENDPOINT'] ?? '',
    codeSigningAccountName: env['AZURE_SIGNING_ACCOUNT'] ?? '',
    certificateProfileName: env['AZURE_SIGNING_PROFILE'] ?? '',
  }
}
