import { describe, expect, it } from 'vitest'
import { withRepository } from '../../build/name-repository.ts'
import { releaseIdentityOf } from '../../src/shared/release-identity.ts'

const home = { type: 'git', url: 'git+https://github.com/sotto-test/sotto.git' }

describe('the repository named in a release', () => {
  it('is added to the other fields of the manifest', () => {
    const named = withRepository({ name: 'sotto', version: '1.2.3' }, 'sotto-test/sotto')
    expect(named).toEqual({ name: 'sotto', version: '1.2.3', repository: home })
    expect(releaseIdentityOf(named)?.repository).toBe('sotto-test/sotto')
  })
  it('stays unchanged if the manifest names the same one', () => {
    expect(withRepository({ repository: home }, 'sotto-test/sotto')).toEqual({ repository: home })
  })
  it.each<[string, unknown, string]>([
    ['the checkout names another', { repository: home }, 'evil/sotto'],
    [
      'the checkout names one elsewhere',
      { repository: { type: 'git', url: 'git+https://gitlab.com/sotto-test/sotto.git' } },
      'sotto-test/sotto',
    ],
    ['the name is empty', {}, ''],
    ['the name has no owner', {}, 'sotto'],
    ['the name has a third part', {}, 'sotto-test/sotto/other'],
    ['the name ends the address early', {}, 'sotto-test/sotto.git#'],
    ['the manifest is no object', 'sotto', 'sotto-test/sotto'],
  ])('is not written if %s', (_where, manifest, repository) => {
    expect(withRepository(manifest, repository)).toBeUndefined()
  })
})
