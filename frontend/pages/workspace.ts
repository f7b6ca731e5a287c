// The entry point of the workspace at /.
import '../shell/main'
