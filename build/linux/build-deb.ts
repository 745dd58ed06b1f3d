import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { PackageRequest } from './package-request.ts'
import { pathsBelow, stageFiles, stageText } from './staged-files.ts'

/**
 * What Debian's policy forbids its own packages. A package of another vendor installs into /opt, and brings the
 * Chromium of Electron, whose authors built it.
 */
const OVERRIDES = [
  'dir-or-file-in-opt',
  'embedded-library',
  'unstripped-binary-or-object',
  'hardening-no-relro',
  'hardening-no-pie',
  'shared-library-lacks-prerequisites',
]

const LINE_LENGTH = 76

/**
 * Builds a deb with dpkg-deb.
 * @param folder an empty folder
 * @param license the text of the license
 * @param date of the change, in RFC 5322 format
 */
export function buildDeb(
  request: PackageRequest,
  { folder, license, date }: { folder: string; license: string; date: string },
): void {
  const { name, version, maintainer } = request
  stageFiles(request.paths, folder)
  const documents = `usr/share/doc/${name}`
  stageText(folder, `${documents}/copyright`, copyrightOf(request, license))
  stageText(
    folder,
    `${documents}/changelog.gz`,
    `${name} (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md of Sotto for the changes of this version.\n\n -- ${maintainer}  ${date}\n`,
  )
  stageText(
    folder,
    `usr/share/lintian/overrides/${name}`,
    `# Not a package of Debian: it installs into /opt and brings the Chromium of Electron.\n${OVERRIDES.map((tag) => `${name}: ${tag}`).join('\n')}\n`,
  )
  const files = pathsBelow(folder).filter((path) => lstatSync(path).isFile())
  const bytes = files.reduce((sum, path) => sum + lstatSync(path).size, 0)
  stageText(folder, 'DEBIAN/control', controlOf(request, Math.ceil(bytes / 1024)))
  stageText(
    folder,
    'DEBIAN/md5sums',
    files.map((path) => `${md5Of(path)}  ${relative(folder, path)}\n`).join(''),
  )
  stageText(folder, 'DEBIAN/postinst', readFileSync(request.afterInstall, 'utf8'), 0o755)
  stageText(folder, 'DEBIAN/postrm', readFileSync(request.afterRemove, 'utf8'), 0o755)
  const compression = request.isCompressed ? ['-Zxz'] : ['-Zgzip', '-z1']
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', folder, request.output], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function controlOf(request: PackageRequest, kibibytes: number): string {
  const fields = {
    Package: request.name,
    Version: request.version,
    Architecture: request.architecture,
    Maintainer: request.maintainer,
    Section: 'utils',
    Priority: 'optional',
    'Installed-Size': String(kibibytes),
    Depends: request.depends.join(', '),
    Recommends: request.recommends.join(', '),
    Homepage: request.url,
    Description: [request.summary, ...wrap(request.description)].join('\n '),
  }
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => `${field}: ${value}\n`)
    .join('')
}

/** Lines that fit a terminal. An empty line is a dot. */
function wrap(text: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const last = lines.at(-1) ?? ''
      if (last !== '' && last.length + word.length >= LINE_LENGTH) lines.push(word)
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
    }
    return lines.map((each) => each || '.')
  })
}

/** In Debian's machine-readable format. */
function copyrightOf({ license, maintainer, url }: PackageRequest, text: string): string {
  const holder = /^Copyright (?:\(c\) )?(.+)$/m.exec(text)?.[1] ?? maintainer
  const body = text
    .trim()
    .split('\n')
    .map((each) => ` ${each.trim() || '.'}`)
    .join('\n')
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Source: ${url}
Comment: The licenses of Electron, Chromium and the packages in the app are in /opt/Sotto.

Files: *
Copyright: ${holder}
License: ${license}
${body}
`
}

/** Debian's checksum of installed files, which protects against damage and not against an attacker. */
function md5Of(path: string): string {
  return createHash('md5').update(readFileSync(path)).digest('hex')
}
