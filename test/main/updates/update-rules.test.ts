import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAnnouncement, isPublished, isNewer } from '../../../src/main/updates/feed.ts'
import { channelFile, githubSource, updateSupport } from '../../../src/main/updates/source.ts'
import { releaseIdentityOf } from '../../../src/shared/release-identity.ts'
import { SottoError } from '../../../src/shared/errors.ts'

const sha512 = `${'A'.repeat(86)}==`
const announced = (changed: object = {}) => ({
  version: '1.2.3',
  files: [{ url: 'sotto-1.2.3-linux-x64.AppImage', sha512, size: 10 }],
  path: 'x',
  releaseNotes: 'notes',
  ...changed,
})
const withFile = (changed: object) => announced({ files: [{ ...announced().files[0], ...changed }] })

describe('a newer release', () => {
  it.each([
    ['0.1.1', '0.1.0', true],
    ['0.2.0', '0.1.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.10.0', '0.9.0', true],
    ['1.0.0', '1.0.0-beta.1', true],
    ['0.1.0', '0.1.0', false],
    ['0.0.9', '0.1.0', false],
    ['0.9.0', '0.10.0', false],
    ['1.0.0-beta.2', '1.0.0-beta.1', false],
    ['1.0.0', '1.0.1-beta.1', false],
    ['v1.0.0', '0.1.0', false],
    ['1.0', '0.1.0', false],
    ['01.0.0', '0.1.0', false],
    ['1.0.0 ', '0.1.0', false],
    ['9999999999.0.0', '0.1.0', false],
    ['', '0.1.0', false],
    ['2.0.0', 'unknown', false],
  ])('%s over %s: %s', (offered, installed, newer) => expect(isNewer(offered, installed)).toBe(newer))
  it('is never both newer and older, and never newer than itself', () => {
    const version = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((parts) => parts.join('.'))
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(isNewer(a, b) && isNewer(b, a)).toBe(false)
        expect(isNewer(a, b) || isNewer(b, a)).toBe(a !== b)
      }),
    )
  })
  it('isn’t an unreadable version', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^\d+\.\d+\.\d+$/.test(text)),
        (text) => !isNewer(text, '0.0.0'),
      ),
    )
  })
})

describe('an announcement', () => {
  it('is parsed without the members that aren’t needed', () => {
    expect(parseAnnouncement(announced())).toEqual({
      version: '1.2.3',
      files: announced().files,
      stagingPercentage: 100,
    })
    expect(parseAnnouncement(withFile({ isAdminRightsRequired: true, blockMapSize: 5 })).files[0]).toEqual(
      announced().files[0],
    )
  })
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'version: 1.2.3'],
    ['no version', announced({ version: undefined })],
    ['a prerelease', announced({ version: '1.2.3-beta.1' })],
    ['a number for a version', announced({ version: 1.2 })],
    ['no files', announced({ files: [] })],
    [
      'more files than any release has',
      announced({ files: Array.from({ length: 17 }, () => announced().files[0]) }),
    ],
    ['a path', withFile({ url: '../../evil' })],
    ['another host', withFile({ url: 'https://evil.example/sotto.AppImage' })],
    ['a hidden file', withFile({ url: '.bashrc' })],
    ['what a shell would run', withFile({ url: "sotto';reboot;'.deb" })],
    ['an option of a package manager', withFile({ url: '--force-all.deb' })],
    ['a space', withFile({ url: 'a b.deb' })],
    ['no digest', withFile({ sha512: undefined })],
    ['another digest', withFile({ sha512: 'abc' })],
    ['no size', withFile({ size: 0 })],
    ['more than any', withFile({ size: 3 * 1024 ** 3 })],
    ['a rollout to nobody knows how many', announced({ stagingPercentage: 'many' })],
    ['a rollout beyond all', announced({ stagingPercentage: 101 })],
    ['a version of a system that is none', announced({ minimumSystemVersion: '10; rm' })],
  ])('is refused with %s', (_what, feed) => {
    expect(() => parseAnnouncement(feed)).toThrow(expect.objectContaining({ code: 'update/feed-unreadable' }))
  })
  it('of any content is parsed or refused with a code', () => {
    fc.assert(
      fc.property(fc.anything(), (feed) => {
        try {
          parseAnnouncement(feed)
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(SottoError)
        }
      }),
    )
  })
})

describe('a rollout', () => {
  const seeds = Array.from({ length: 2000 }, (_, index) => index.toString(16).padStart(32, '0'))
  it('reaches about the given percentage, none at 0 and all at 100', () => {
    const reached = (percentage: number): number =>
      seeds.filter((seed) => isPublished('1.2.3', percentage, seed)).length / seeds.length
    expect([reached(0), reached(100)]).toEqual([0, 1])
    expect(reached(25)).toBeGreaterThan(0.2)
    expect(reached(25)).toBeLessThan(0.3)
  })
  it('keeps its computers as it grows, and picks others for another release', () => {
    const [first, wider, other] = [
      ['1.2.3', 20],
      ['1.2.3', 60],
      ['1.2.4', 20],
    ].map(([version, percentage]) =>
      seeds.filter((seed) => isPublished(String(version), Number(percentage), seed)),
    )
    expect(first!.filter((seed) => !wider!.includes(seed))).toEqual([])
    expect(other).not.toEqual(first)
  })
})

describe('the update source', () => {
  const source = githubSource(
    releaseIdentityOf({ repository: { type: 'git', url: 'git+https://github.com/sotto-test/sotto.git' } })!,
  )
  const facts = {
    platform: 'linux',
    packaged: true,
    environment: { APPIMAGE: '/opt/sotto.AppImage' },
    packageType: undefined,
  } as const

  it('is the repository whose signature the build accepts, and no other host', () => {
    expect(source.announcement('latest-linux.yml').href).toBe(
      'https://github.com/sotto-test/sotto/releases/latest/download/latest-linux.yml',
    )
    expect(source.file('1.2.3', 'a.AppImage').href).toBe(
      'https://github.com/sotto-test/sotto/releases/download/v1.2.3/a.AppImage',
    )
    expect(source.identity.repository).toBe('sotto-test/sotto')
    expect(source.hosts).toEqual(['github.com', 'release-assets.githubusercontent.com'])
  })
  it.each([
    ['linux', 'x64', 'latest-linux.yml'],
    ['linux', 'arm64', 'latest-linux-arm64.yml'],
    ['darwin', 'x64', 'latest-mac.yml'],
    ['darwin', 'arm64', 'latest-arm64-mac.yml'],
    ['win32', 'x64', 'latest.yml'],
    ['win32', 'arm64', 'latest-arm64.yml'],
  ] as const)('has for %s on %s the file %s', (platform, arch, name) =>
    expect(channelFile(platform, arch)).toBe(name),
  )
  it('is missing without a repository, and for packages that Sotto can’t replace', () => {
    expect(updateSupport(undefined, facts)).toBe('no-address')
    expect(updateSupport(source, facts)).toBe('yes')
    expect(updateSupport(source, { ...facts, packaged: false })).toBe('package')
    expect(updateSupport(source, { ...facts, environment: {} })).toBe('package')
    expect(updateSupport(source, { ...facts, environment: {}, packageType: 'deb' })).toBe('yes')
    expect(updateSupport(source, { ...facts, platform: 'win32', environment: {} })).toBe('yes')
    expect(
      updateSupport(source, {
        ...facts,
        platform: 'win32',
        environment: { PORTABLE_EXECUTABLE_FILE: 'C:\\sotto.exe' },
      }),
    ).toBe('package')
  })
})
