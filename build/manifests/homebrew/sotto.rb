cask "sotto" do
  arch arm: "arm64", intel: "x64"

  version "@version@"
  sha256 arm:   "@sha256:sotto-@version@-mac-arm64.dmg@",
         intel: "@sha256:sotto-@version@-mac-x64.dmg@"

  url "https://github.com/@repository@/releases/download/v#{version}/sotto-#{version}-mac-#{arch}.dmg"
  name "Sotto"
  desc "Private AI chat and local API, sealed to verified hardware"
  homepage "https://github.com/@repository@"

  livecheck do
    url :url
    strategy :github_latest
  end

  app "Sotto.app"

  # The data folder has the credentials of accounts with a balance, so removing the app never deletes it.
  zap trash: [
    "~/Library/Preferences/app.sotto.desktop.plist",
    "~/Library/Saved Application State/app.sotto.desktop.savedState",
  ]

  caveats <<~EOS
    Sotto has no publisher's signature. Allow its first start in System Settings, Privacy & Security.
  EOS
end
