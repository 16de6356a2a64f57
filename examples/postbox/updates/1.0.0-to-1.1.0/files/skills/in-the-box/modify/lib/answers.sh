# One message in, one answer out.

answer() {
	case $1 in
	help*)
		echo "Say hello, say bye, or leave a message."
		;;
	hello*)
		echo "$GREETING"
		;;
	bye*)
		echo "$FAREWELL"
		;;
	*)
		echo "I have put that in the box: $1"
		;;
	esac
}
