/** A setting, of the environment, a flag or a file, that cannot be used. */
export class SettingError extends Error {
  override name = 'SettingError'
}
