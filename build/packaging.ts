import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from 'electron-builder'
import { z } from 'zod'
import { AZURE_SIGNING_VARIABLES, azureSigningOf } from './azure-signing.ts'
import { releaseIdentityOf } from '../src/shared/release-identity.ts'

/**
 * The languages of Sotto, by Chromium's names. The package omits Chromium's own menu and dialog texts in
 * other languages.
 */
const CHROMIUM_LANGUAGES = ['en-US', 'de', 'es', 'fr', 'he', 'ja', 'ko', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-TW']

/**
 * The content of app.asar other than the modules of the main process: the build, the files that ship with
 * it, and nothing else.
 */
const FILES = [
  'package.json',
  'out/main/third-party-licences.txt',
  'out/preload/index.cjs',
  'out/preload/third-party-licences.txt',
  'out/renderer/**',
  // Chromium reads the woff2 of the same typefaces.
  '!out/renderer/assets/*.{ttf,woff}',
  'resources/{profiles,trust,tray}/**',
  // For packages that aren't bundled: their code and licenses.
  '!**/node_modules/**/{README*,CHANGELOG*,*.d.ts,*.map,keytar.js}',
]

/** The packages that electron-builder names for Electron, and the C library of the native keychain. */
const DEB_DEPENDS = [
  'libc6',
  'libgtk-3-0',
  'libnotify4',
  'libnss3',
  'libxss1',
  'libxtst6',
  'xdg-utils',
  'libatspi2.0-0',
  'libuuid1',
  'libsecret-1-0',
]

/**
 * The configuration of electron-builder. Certificates for signing come only from the environment; without
 * them nothing is signed.
 *
 * @param root the checkout
 * @param env the variables with certificates, as electron-builder names them
 */
export function packagingOf(root: string, env: NodeJS.ProcessEnv = process.env): Configuration {
  // GitHub sets the variable of a missing secret to an empty text.
  const azureSignOptions = azureSigningOf(env)
  const hasAppleCertificate = Boolean(env['CSC_LINK']) || Boolean(env['CSC_NAME'])
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { version } = z.object({ version: z.string() }).parse(manifest)
  const identity = releaseIdentityOf(manifest)
  const [owner, repo] = identity?.repository.split('/') ?? []
  return {
    appId: 'app.sotto.desktop',
    productName: 'Sotto',
    copyright: 'The authors of Sotto; MIT',
    directories: { output: 'dist', buildResources: 'build' },
    // The command, and the chooser of `npm start`, run on Node, which the packaged Electron will not be used as.
    files: [
      ...FILES,
      ...reachableFiles(join(root, 'out', 'main'), ['index.js', 'setup-worker.js', 'token-worker.js']).map(
        (file) => `out/main/${file}`,
      ),
    ],
    asar: true,
    asarUnpack: ['**/*.node'],
    npmRebuild: false,
    electronLanguages: CHROMIUM_LANGUAGES,
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
      // Apple silicon kills a program whose signature is broken, and a fuse breaks that of Electron's binary.
      resetAdHocDarwinSignature: !hasAppleCertificate,
    },
    extraMetadata: {
      main: 'out/main/index.js',
      // Chromium names its windows by it, and registers the handler of links under it.
      desktopName: 'sotto-desktop.desktop',
      // deb and rpm need one. A build by hand has no public home.
      homepage: identity ? `https://github.com/${identity.repository}` : 'https://sotto.invalid/',
    },
    // The earlier runtime needs libfuse2, and its desktop entry turns the sandbox off by default.
    toolsets: { appimage: '1.0.3' },
    artifactName: 'sotto-${version}-${os}-${arch}.${ext}',
    protocols: [{ name: 'Sotto', schemes: ['sotto'] }],
    // The location of the newest release; without a public repository there is none, and Sotto doesn't
    // check for updates.
    publish:
      owner !== undefined && repo !== undefined
        ? [
            {
              provider: 'github',
              owner,
              repo,
              releaseType: 'draft',
              channel: updateChannel(process.platform, process.arch),
            },
          ]
        : null,
    mac: {
      category: 'public.app-category.productivity',
      icon: 'build/icons/icon.icns',
      target: ['dmg', 'zip'],
      hardenedRuntime: true,
      // "-" is the ad-hoc identity. electron-builder doesn't choose it if it finds no certificate.
      ...(hasAppleCertificate
        ? {
            entitlements: 'build/entitlements/mac.plist',
            entitlementsInherit: 'build/entitlements/mac-inherit.plist',
          }
        : {
            identity: '-',
            entitlements: 'build/entitlements/mac-ad-hoc.plist',
            entitlementsInherit: 'build/entitlements/mac-ad-hoc-inherit.plist',
          }),
      notarize: hasAppleCertificate && Boolean(env['APPLE_TEAM_ID']),
      extendInfo: {
        NSMicrophoneUsageDescription:
          'Sotto records what you dictate or want to have transcribed, when you press record.',
      },
    },
    win: {
      icon: 'build/icons/icon.ico',
      target: ['nsis', 'portable'],
      ...(azureSignOptions && { azureSignOptions }),
    },
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      artifactName: 'sotto-${version}-win-${arch}-setup.${ext}',
    },
    portable: { artifactName: 'sotto-${version}-win-${arch}-portable.${ext}' },
    linux: {
      category: 'Utility',
      icon: 'build/icons/linux',
      executableName: 'sotto-desktop',
      executableArgs: [],
      // The name of the desktop entry, and its StartupWMClass, are those of desktopName.
      syncDesktopName: true,
      // electron-builder copies the app over its own launcher of the AppImage.
      extraFiles: [{ from: 'build/AppRun', to: 'AppRun' }],
      target: ['AppImage', 'deb', 'rpm', 'tar.gz'],
      maintainer: 'The authors of Sotto <authors@sotto.invalid>',
      synopsis: 'Private AI, proven by hardware',
      description:
        'A desktop app and local proxy for a pay-per-use AI service. What is sent to a private model can be read by nobody but a machine whose hardware has proven what it runs.',
      desktop: {
        entry: {
          Name: 'Sotto',
          GenericName: 'AI client',
          Keywords: 'AI;chat;privacy;proxy;Lightning;',
        },
      },
    },
    deb: { fpm: systemFiles(root), depends: DEB_DEPENDS },
    rpm: { fpm: systemFiles(root) },
    extraResources: [{ from: 'LICENSE', to: 'LICENSE.sotto.txt' }],
    buildVersion: version,
  }
}

/** The built files of a folder that running one of `entries` may load: those that it names, and those that these name. */
function reachableFiles(folder: string, entries: readonly string[]): string[] {
  const reached = new Set(entries)
  for (const file of reached) {
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(
      /["'`]\.\/([\w.-]+\.js)["'`]/g,
    )) {
      if (name !== undefined && existsSync(join(folder, name))) reached.add(name)
    }
  }
  return [...reached].sort()
}

/** The files that deb and rpm install outside the folder of the app, as fpm takes them: from=to. */
function systemFiles(root: string): string[] {
  return [
    ['build/linux/app.sotto.desktop.metainfo.xml', '/usr/share/metainfo/app.sotto.desktop.metainfo.xml'],
    // Of the command, which comes from npm: `man sotto` is right for both.
    ['docs/man/sotto.1', '/usr/share/man/man1/sotto.1'],
  ].map(([from = '', to = '']) => `${join(root, from)}=${to}`)
}

/** Variables with certificates and passwords, which electron-builder takes from the environment. */
export const SIGNING_VARIABLES = [
  'CSC_LINK',
  'CSC_KEY_PASSWORD',
  'APPLE_ID',
  'APPLE_APP_SPECIFIC_PASSWORD',
  'APPLE_TEAM_ID',
  'WIN_CSC_LINK',
  'WIN_CSC_KEY_PASSWORD',
  ...AZURE_SIGNING_VARIABLES,
]

/**
 * Removes signing variables without a value. GitHub sets the variable of a missing secret to an empty text, which
 * electron-builder reads as the path of a certificate.
 */
export function removeEmptySigningVariables(env: NodeJS.ProcessEnv): void {
  for (const name of SIGNING_VARIABLES) if (env[name]?.trim() === '') Reflect.deleteProperty(env, name)
}

/**
 * The name of the announcement of the newest version: each processor has its own packages, and
 * electron-builder distinguishes them automatically only for Linux.
 */
function updateChannel(platform: NodeJS.Platform, arch: string): string {
  return platform !== 'linux' && arch === 'arm64' ? 'latest-arm64' : 'latest'
}
