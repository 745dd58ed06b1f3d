import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { packagingOf } from '../../build/packaging.ts'
import { buildTar } from '../../build/linux/build-tar.ts'
import { APP_ID } from '../../src/main/system-identity.ts'
import { writeFakeElectron } from './fake-electron.ts'

/**
 * The contents of the Linux packages, with a stand-in for Electron. Stand-ins for mksquashfs and fpm, which electron-builder
 * would download, copy what they are to pack.
 */
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'sotto-linux-'))
const appImage = join(folder, 'AppImage')
const tools = join(folder, 'tools')
const linux = process.platform === 'linux'

/** Whether a tool of the system is installed. A missing one skips its tests. */
const hasTool = (name: string): boolean => spawnSync(name, ['--version']).error === undefined
const checkers = {
  entry: 'desktop-file-validate',
  metainfo: 'appstreamcli',
  deb: 'dpkg-deb',
  rpm: 'rpmbuild',
  policy: 'lintian',
}

function writeScript(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\nset -e\n${script}\n`)
  chmodSync(path, 0o755)
}

beforeAll(async () => {
  if (!linux) return
  await writeFakeElectron(join(folder, 'electron'))
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
  for (const name of ['runtimes', join('lib', arch)]) mkdirSync(join(tools, name), { recursive: true })
  writeFileSync(join(tools, 'runtimes', `runtime-${arch}`), 'runtime')
  writeScript(join(tools, 'desktop-file-validate'), '')
  writeScript(join(tools, 'mksquashfs'), `cp -R "$1" "${appImage}"\nhead -c 4096 /dev/zero > "$2"`)
  // fpm gets each file as FROM=TO, and the scripts by option.
  const built = (['deb', 'rpm'] as const).filter((type) => hasTool(checkers[type]))
  writeScript(
    join(folder, 'fpm'),
    `for type in ${built.join(' ')}; do
  case " $* " in *" -t $type "*) "${process.execPath}" "${root}/build/linux/fpm.ts" "$@" --$type-compression none ;; esac
done
while [ $# -gt 0 ]; do
  case "$1" in
    --package | -p) into="${folder}/\${2##*.}"; mkdir -p "$into"; : >> "$2" ;;
    --after-install | --after-remove) cp "$2" "${folder}/\${1#--}" ;;
    *.desktop=*) cp "\${1%%=*}" "$into/\${1##*/}" ; echo "\${1##*=}" >> "$into/paths" ;;
    *=/usr/share/metainfo/* | *=/usr/share/man/*)
      cp "\${1%%=*}" "$into/\${1##*/}" ; echo "\${1##*=}" >> "$into/paths" ;;
    *=/opt/*) cp -R "\${1%%=*}" "$into/opt" ;;
  esac
  shift
done
mv "${folder}/after-install" "${folder}/after-remove" "$into"`,
  )
  // In a process of its own: below Vitest electron-builder links files instead of copying them.
  const { VITEST: _, ...env } = process.env
  const options = {
    root,
    output: join(folder, 'dist'),
    electron: { folder: join(folder, 'electron'), version: '45.3.4' },
    targets: ['AppImage', 'deb', 'rpm'],
  }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { packApp } from ${JSON.stringify(pathToFileURL(join(root, 'build', 'package.ts')).href)}
await packApp(${JSON.stringify(options)})`,
    ],
    {
      encoding: 'utf8',
      env: { ...env, APPIMAGE_TOOLS_PATH: tools, CUSTOM_FPM_PATH: join(folder, 'fpm') },
    },
  )
  expect(status, stdout + stderr).toBe(0)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Paths of the text files below a folder that a desktop or a shell could start. */
const launchersIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.desktop') ||
      /^after-/.test(name) ||
      (statSync(join(path, name)).isFile() &&
        readFileSync(join(path, name)).subarray(0, 2).toString() === '#!'),
  )

describe.skipIf(!linux)('each Linux package', () => {
  it.each([
    ['AppImage', ['AppRun', 'sotto-desktop.desktop']],
    ['deb', ['after-install', 'after-remove', 'sotto-desktop.desktop']],
    ['rpm', ['after-install', 'after-remove', 'sotto-desktop.desktop']],
  ])('starts Sotto with its sandbox: %s', (name, expected) => {
    const launchers = launchersIn(join(folder, name))
    expect(launchers).toEqual(expect.arrayContaining(expected))
    for (const launcher of launchers)
      expect(readFileSync(join(folder, name, launcher), 'utf8'), launcher).not.toContain('no-sandbox')
  })
  it.each(['deb', 'rpm'])(
    'has an AppArmor profile that permits user namespaces, and installs it: %s',
    (name) => {
      const profile = readFileSync(join(folder, name, 'opt', 'resources', 'apparmor-profile'), 'utf8')
      expect(profile).toContain('profile "sotto-desktop" "/opt/Sotto/sotto-desktop" flags=(unconfined)')
      expect(profile).toMatch(/^ *userns,$/m)
      expect(readFileSync(join(folder, name, 'after-install'), 'utf8')).toContain(
        "APPARMOR_PROFILE_SOURCE='/opt/Sotto/resources/apparmor-profile'",
      )
    },
  )
})

for (const tool of Object.values(checkers))
  if (linux && !hasTool(tool) && tool !== checkers.entry)
    console.warn(`A test of the Linux packages is skipped: ${tool} isn’t installed.`)

describe.skipIf(!linux)('the identity of the app on a Linux desktop', () => {
  const ID = 'sotto-desktop'
  const entryOf = (name: string): Map<string, string> =>
    new Map(
      readFileSync(join(folder, name, `${ID}.desktop`), 'utf8')
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )

  it('matches Chromium’s windows, desktopName and the app ID', () => {
    expect(packagingOf(root)).toMatchObject({
      appId: APP_ID,
      extraMetadata: { desktopName: `${ID}.desktop` },
    })
  })
  it.each(['AppImage', 'deb', 'rpm'])(
    'is the name, class and URL handler of the desktop entry: %s',
    (name) => {
      const entry = entryOf(name)
      expect(entry.get('StartupWMClass')).toBe(ID)
      expect(entry.get('MimeType')).toBe('x-scheme-handler/sotto;')
      expect(entry.get('Exec')).toMatch(/ %U$/)
    },
  )
  it.skipIf(!hasTool(checkers.entry))('is in a valid desktop entry', () => {
    for (const name of ['AppImage', 'deb', 'rpm']) {
      const { status, stdout } = spawnSync(checkers.entry, [join(folder, name, `${ID}.desktop`)], {
        encoding: 'utf8',
      })
      expect({ name, status, stdout }).toEqual({ name, status: 0, stdout: '' })
    }
  })
  it.each(['deb', 'rpm'])('is in the metainfo, which is installed with the manual page: %s', (name) => {
    const installed = readFileSync(join(folder, name, 'paths'), 'utf8')
      .split('\n')
      .filter(Boolean)
    expect(installed.toSorted()).toEqual([
      `/usr/share/applications/${ID}.desktop`,
      '/usr/share/man/man1/sotto.1',
      `/usr/share/metainfo/${APP_ID}.metainfo.xml`,
    ])
    const metainfo = readFileSync(join(folder, name, `${APP_ID}.metainfo.xml`), 'utf8')
    expect(metainfo).toContain(`<id>${APP_ID}</id>`)
    expect(metainfo).toContain(`<launchable type="desktop-id">${ID}.desktop</launchable>`)
    expect(metainfo).toContain('<mediatype>x-scheme-handler/sotto</mediatype>')
  })
  it.skipIf(!hasTool(checkers.metainfo))('is in valid metainfo', () => {
    const path = join(folder, 'deb', `${APP_ID}.metainfo.xml`)
    const { status, stdout } = spawnSync(checkers.metainfo, ['validate', '--no-net', path], {
      encoding: 'utf8',
    })
    expect(status, stdout).toBe(0)
  })
})

describe.skipIf(!linux)('the built package', () => {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
  const list = (pattern: RegExp): string =>
    join(folder, 'dist', readdirSync(join(folder, 'dist')).find((name) => pattern.test(name)) ?? '')
  const run = (command: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 })
    expect(status, stdout + stderr).toBe(0)
    return stdout
  }
  /** The files outside the app, and some of it. */
  const installed = [
    '/opt/Sotto/resources/LICENSE.sotto.txt',
    '/opt/Sotto/resources/app.asar',
    '/opt/Sotto/resources/apparmor-profile',
    '/opt/Sotto/sotto-desktop',
    '/usr/share/applications/sotto-desktop.desktop',
    '/usr/share/icons/hicolor/512x512/apps/sotto-desktop.png',
    '/usr/share/man/man1/sotto.1.gz',
    `/usr/share/metainfo/${APP_ID}.metainfo.xml`,
  ]
  const version = packagingOf(root).buildVersion ?? ''

  it.skipIf(!hasTool(checkers.deb))('installs the app for root, with its scripts: deb', () => {
    const path = list(/\.deb$/)
    const contents = run('dpkg-deb', '--contents', path).split('\n').filter(Boolean)
    expect(contents.map((line) => line.replace(/^.*? \.(\/.*?)(?: -> .*)?$/, '$1'))).toEqual(
      expect.arrayContaining(installed),
    )
    // Owned by root, and writable by no one else.
    expect(
      contents.filter((line) => !/^[dl-]rw(?:x|-)(?:r-x|r--|rwx)(?:r-x|r--|rwx) root\/root /.test(line)),
    ).toEqual([])
    expect(run('dpkg-deb', '--field', path)).toContain(`Package: sotto\nVersion: ${version}\n`)
    for (const script of ['postinst', 'postrm'])
      expect(run('dpkg-deb', '--info', path, script)).toContain('/opt/Sotto/sotto-desktop')
  })
  it.skipIf(!hasTool(checkers.rpm))('installs the app for root, with its scripts: rpm', () => {
    const path = list(/\.rpm$/)
    const contents = run('rpm', '-qp', '--qf', '[%{FILENAMES} %{FILEMODES:perms} %{FILEUSERNAME}\n]', path)
    const lines = contents.split('\n').filter(Boolean)
    expect(lines.map((line) => line.split(' ')[0])).toEqual(expect.arrayContaining(installed))
    expect(
      lines.filter((line) => !/ [dl-]rw[x-]r-[x-]r-[x-] root$/.test(line) && !line.includes(' l')),
    ).toEqual([])
    expect(run('rpm', '-qp', '--qf', '%{NAME} %{VERSION} %{ARCH} %{BUILDHOST}', path)).toBe(
      `sotto ${version} ${process.arch === 'arm64' ? 'aarch64' : 'x86_64'} localhost`,
    )
    expect(run('rpm', '-qp', '--scripts', path)).toContain('[ "$1" = 0 ] || exit 0')
  })
  it('has the app in one folder: tar.gz', () => {
    const name = `sotto-${version}-linux-${arch}`
    const path = join(folder, `${name}.tar.gz`)
    buildTar(join(folder, 'dist', 'linux-unpacked'), path, 1_000_000_000)
    const lines = run('tar', '--utc', '--full-time', '-tvzf', path).split('\n').filter(Boolean)
    expect(lines.some((line) => line.endsWith(` 2001-09-09 01:46:40 ${name}/resources/app.asar`))).toBe(true)
    expect(
      lines.filter((line) => !/^[dl-]rw[x-]r-[x-]r-[x-] 0\/0 /.test(line) || !line.includes(` ${name}/`)),
    ).toEqual([])
  })
  it.skipIf(!hasTool(checkers.deb) || !hasTool(checkers.policy))(
    'passes lintian without an error: deb',
    () => {
      // Root may run it too, for files that are its own.
      const found = run('lintian', '--allow-root', '--fail-on', 'error', list(/\.deb$/))
      expect(found).not.toMatch(/^E:/m)
    },
  )
})

describe.skipIf(!linux)('the launcher of the AppImage', () => {
  const image = join(folder, 'image')
  const bin = join(folder, 'bin')
  const start = (env: Record<string, string> = {}) =>
    spawnSync(join(image, 'AppRun'), ['--hidden', 'sotto://a b'], {
      encoding: 'utf8',
      env: { PATH: `${bin}:/usr/bin:/bin`, ...env },
    })
  beforeEach(() => {
    for (const path of [image, bin]) {
      rmSync(path, { recursive: true, force: true })
      mkdirSync(path)
    }
    cpSync(join(appImage, 'AppRun'), join(image, 'AppRun'))
    writeScript(join(image, 'sotto-desktop'), 'printf "%s|" "$@"')
  })

  it('passes its arguments on without additions', () => {
    writeScript(join(bin, 'unshare'), '')
    expect(start()).toMatchObject({ status: 0, stdout: '--hidden|sotto://a b|', stderr: '' })
  })
  it('explains what to install if user namespaces are restricted, and starts nothing', () => {
    writeScript(join(bin, 'unshare'), 'exit 1')
    expect(start()).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('Install the deb or rpm package instead.') as string,
    })
  })
  it('starts nothing after an update that only installs', () => {
    expect(start({ APPIMAGE_EXIT_AFTER_INSTALL: 'true' })).toMatchObject({ status: 0, stdout: '' })
  })
})

describe('the workflows', () => {
  it('don’t turn off the system’s restriction of user namespaces', () => {
    const workflows = join(root, '.github', 'workflows')
    expect(existsSync(workflows)).toBe(true)
    for (const file of readdirSync(workflows))
      expect(readFileSync(join(workflows, file), 'utf8'), file).not.toMatch(/sysctl|no-sandbox/)
  })
})
