import { inEnglish, type Said } from '../shared/say.ts'

/** A setting, of the environment, a flag or a file, that cannot be used. */
export class SettingError extends Error {
  override name = 'SettingError'
  readonly says: Said

  constructor(says: Said, options?: ErrorOptions) {
    super(inEnglish(says), options)
    this.says = says
  }
}
