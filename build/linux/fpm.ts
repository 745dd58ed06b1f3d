#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDeb } from './build-deb.ts'
import { buildRpm } from './build-rpm.ts'
import { parsePackageRequest } from './package-request.ts'

/**
 * Builds deb and rpm for electron-builder in place of fpm, with dpkg-deb and rpmbuild. electron-builder would download fpm
 * and a Ruby for it.
 */
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'sotto-package-'))
try {
  const request = parsePackageRequest(process.argv.slice(2))
  if (request.type === 'rpm') buildRpm(request, folder)
  else {
    const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1000))
    buildDeb(request, {
      folder,
      license: readFileSync(join(root, 'LICENSE'), 'utf8'),
      date: new Date(seconds * 1000).toUTCString().replace('GMT', '+0000'),
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
