import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Profile } from '../../src/shared/profile.ts'
import { COMMAND } from '../process/command.ts'

const root = resolve(import.meta.dirname, '../..')

/** Roots of a test, which replace those of the copy. Certificates are DER. */
export interface InstalledRoots {
  readonly genoa: { readonly ask: Buffer; readonly ark: Buffer }
  readonly sigstoreTrustedRoot: string
}

/**
 * Copies the command into a folder, with one more preset. Presets and roots are files of an installation, so this is the
 * only way to run the real command against another service.
 * @returns the file for Node to run
 */
export function installCommand(folder: string, profile: Profile, roots?: InstalledRoots): string {
  const copy = (name: string): void => cpSync(join(root, name), join(folder, name), { recursive: true })
  const command = COMMAND.slice(root.length + 1)
  for (const name of ['package.json', 'resources', command.startsWith('out') ? dirname(command) : 'src'])
    copy(name)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const presets = join(folder, 'resources/profiles')
  mkdirSync(presets, { recursive: true })
  writeFileSync(join(presets, `${profile.id}.json`), JSON.stringify(profile))
  if (roots) {
    const { genoa, sigstoreTrustedRoot } = roots
    const trust = join(folder, 'resources/trust')
    writeFileSync(join(trust, 'ask_ark_genoa.pem'), [genoa.ask, genoa.ark].map(pem).join(''))
    writeFileSync(join(trust, 'sigstore-trusted-root.json'), sigstoreTrustedRoot)
    // AMD's list is not of these roots.
    rmSync(join(trust, 'amd_crl_genoa.der'), { force: true })
  }
  return join(folder, command)
}

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
