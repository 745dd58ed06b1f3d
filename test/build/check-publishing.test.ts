import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { findMissingSetup, RELEASE_ENVIRONMENTS, type CommandResult } from '../../build/check-publishing.ts'

const manifest = { name: 'sotto', version: '1.2.3' }
const passed = (stdout: unknown): CommandResult => ({
  status: 0,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr: '',
})
const failed = (stderr: string): CommandResult => ({ status: 1, stdout: '', stderr })
const publisher = {
  type: 'github',
  id: '1',
  file: 'release.yml',
  repository: 'owner/sotto',
  environment: 'npm',
  permissions: ['createPackage'],
}
const complete = {
  'npm view': passed({ name: 'sotto', repository: { url: 'git+https://github.com/owner/sotto.git' } }),
  'npm trust': passed(publisher),
  'gh api': passed({ environments: [{ name: 'npm' }, { name: 'signing' }] }),
}
const find = (answers: Partial<typeof complete> = {}, repository = 'owner/sotto') =>
  findMissingSetup(manifest, repository, (command, [first = '']) => {
    const answer = Object.entries({ ...complete, ...answers }).find(
      ([name]) => name === `${command} ${first}`,
    )
    return answer?.[1] ?? failed('unexpected command')
  })

describe('the check of the release setup', () => {
  it('reports nothing if the package, its publisher and both environments exist', () => {
    expect(find()).toEqual([])
  })
  it('accepts a second trusted publisher in addition to ours', () => {
    expect(
      find({ 'npm trust': passed(`${JSON.stringify({ type: 'gitlab' })}\n${JSON.stringify(publisher)}\n`) }),
    ).toEqual([])
  })
  it.each<[string, Partial<typeof complete>, RegExp]>([
    [
      'the package doesn’t exist',
      { 'npm view': failed('npm error code E404') },
      /Publish the first version by hand/,
    ],
    ['npm can’t be reached', { 'npm view': failed('npm error code ECONNREFUSED') }, /didn't answer/],
    [
      'the package belongs to another repository',
      { 'npm view': passed({ repository: { url: 'git+https://github.com/evil/sotto.git' } }) },
      /choose another name/,
    ],
    ['the package names no repository', { 'npm view': passed({}) }, /choose another name/],
    ['nobody is logged in', { 'npm trust': failed('npm error code E401') }, /npm login/],
    ['no publisher is trusted', { 'npm trust': passed('') }, /npm trust github sotto --file release\.yml/],
    ...Object.entries({
      file: 'test.yml',
      repository: 'evil/sotto',
      environment: 'other',
      permissions: [],
    }).map(([member, value]): [string, Partial<typeof complete>, RegExp] => [
      `the publisher has another ${member}`,
      { 'npm trust': passed({ ...publisher, [member]: value }) },
      /npm trust github/,
    ]),
    [
      'GitHub has no environment',
      { 'gh api': passed({ environments: [{ name: 'npm' }] }) },
      /environment "signing"/,
    ],
    ['GitHub refuses', { 'gh api': failed('HTTP 404') }, /gh auth login/],
  ])('reports one step if %s', (_case, answers, step) => {
    expect(find(answers)).toEqual([expect.stringMatching(step)])
  })
  it('reports a name that is not valid on GitHub', () => {
    expect(find({}, 'owner/../sotto')).toEqual([expect.stringContaining("isn't a name on GitHub")])
  })
  it('knows each environment of the release workflows', () => {
    const form = z.object({ jobs: z.record(z.string(), z.object({ environment: z.string().optional() })) })
    const used = ['release.yml', 'rollout.yml'].flatMap((file) =>
      Object.values(
        form.parse(parse(readFileSync(join(import.meta.dirname, '../../.github/workflows', file), 'utf8')))
          .jobs,
      ).flatMap(({ environment }) => environment ?? []),
    )
    expect([...new Set(used)].sort()).toEqual([...RELEASE_ENVIRONMENTS].sort())
  })
})
