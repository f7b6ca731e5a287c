// The entry point of the player page. The Trusted Types policy has to exist before the player loads.
import '../recordings/player-policy'
import 'asciinema-player/dist/bundle/asciinema-player.css'
import '../recordings/player.css'
import '../recordings/player-page'
