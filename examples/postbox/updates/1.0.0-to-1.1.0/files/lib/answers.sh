# One message in, one answer out.

answer() {
	case $1 in
	hello*)
		echo "$GREETING"
		;;
	bye*)
		echo "$FAREWELL"
		;;
	*)
		echo "Noted: $1"
		;;
	esac
}
