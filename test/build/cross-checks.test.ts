import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evidenceIsThere } from '../verifier/evidence-folder.ts'
import { CROSS_CHECKS_PATH, renderCrossChecks } from '../cross-check/page.ts'
import { rows } from '../cross-check/rows.ts'

describe('cross-checks with other verifiers', () => {
  it('are the page in the documents', () => {
    expect(readFileSync(join(import.meta.dirname, '../..', CROSS_CHECKS_PATH), 'utf8')).toBe(
      renderCrossChecks(),
    )
  })

  it('give a reason where one verifier accepts what the other refuses', () => {
    const good = new Set(['accepts', 'good'])
    for (const { evidence, answer, other, note } of rows) {
      if (!other || good.has(answer) !== good.has(other.answer))
        expect([evidence, note]).not.toEqual([evidence, undefined])
    }
  })

  it.skipIf(!evidenceIsThere).each(rows)(
    '$evidence at $at is judged as listed',
    ({ at, sotto, answer, other }) => {
      expect(sotto(Date.parse(at))).toBe(answer)
      if (other?.by === 'dcap-qvl') expect(other.verify()).toBe(other.answer)
    },
  )
})
