import { describe, expect, it } from 'vitest'
import { AZURE_SIGNING_VARIABLES, azureSigningOf } from '../../build/azure-signing.ts'

const complete: NodeJS.ProcessEnv = Object.fromEntries(
  AZURE_SIGNING_VARIABLES.map((name) => [name, `the ${name}`]),
)

describe('Azure Trusted Signing', () => {
  it('signs if each variable has a value, and its settings have no secret', () => {
    expect(azureSigningOf(complete)).toEqual({
      publisherName: 'the AZURE_SIGNING_PUBLISHER',
      endpoint: 'the AZURE_SIGNING_ENDPOINT',
      codeSigningAccountName: 'the AZURE_SIGNING_ACCOUNT',
      certificateProfileName: 'the AZURE_SIGNING_PROFILE',
    })
  })
  it.each([
    {},
    { AZURE_TENANT_ID: 'of another tool' },
    Object.fromEntries(AZURE_SIGNING_VARIABLES.map((name) => [name, ' '])),
  ])('is off without them, also if GitHub sets them to an empty text: %j', (env) => {
    expect(azureSigningOf(env)).toBeUndefined()
  })
  it.each(AZURE_SIGNING_VARIABLES)('stops the build without %s', (name) => {
    expect(() => azureSigningOf({ ...complete, [name]: '' })).toThrow(name)
  })
  it('stops the build if there is a certificate too', () => {
    expect(() => azureSigningOf({ ...complete, WIN_CSC_LINK: 'certificate.p12' })).toThrow('WIN_CSC_LINK')
  })
})
