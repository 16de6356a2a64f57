# One message in, one answer out.

answer() {
	case $1 in
	hello*)
		echo "$GREETING"
		;;
	bye*)
		echo "$FAREWELL"
		;;
	find\ *)
		diary_find "${1#find }"
		;;
	*)
		echo "I have put that in the box: $1"
		;;
	esac
}
